import type { ReferenceHolder } from '../../references/references.js';
import type { Transaction } from '../../storage/transaction.js';
import { announce } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { updating } from '../update.js';
import type { NamedChannel } from './channel-references-store.js';
import { writeChanges } from './planned-change.js';

/** Returns the monitors as what names channels. Those that have every channel of the workspace name none. */
export function channelReferences(needs: MonitorNeeds): ReferenceHolder {
  const { store, secrets } = needs;
  const read = async (tx: Transaction, workspaceId: string, channel: NamedChannel, max: number) => {
    const found = await store.withChannel(tx, workspaceId, channel, max + 1);
    const total = found.length > max ? await store.countWithChannel(tx, workspaceId, channel) : found.length;
    return { total, found: found.slice(0, max) };
  };
  return {
    to: 'channel',
    read: 'monitors:read',
    write: 'monitors:write',
    limited: true,
    async findAlone(tx, workspaceId, id, { others, max }) {
      const { total, found } = await read(tx, workspaceId, { id, without: others }, max);
      return { total, items: found.map(referrer) };
    },
    async find(tx, workspaceId, channelId, max) {
      const { total, found } = await read(tx, workspaceId, { id: channelId }, max);
      return {
        ...{ total, items: found.map(referrer) },
        async detach(actor) {
          // An empty list stays one: null would mean every channel.
          const left = found.map(({ channels }) => (channels ?? []).filter((id) => id !== channelId));
          const planned = found.map((monitor, index) =>
            updating(needs, actor, monitor, { ...secrets.settings(monitor), channels: left[index] ?? [] }),
          );
          await announce(needs, tx, await writeChanges(needs, tx, actor, planned), null);
          return found.map((monitor, index) => ({ ...referrer(monitor), left: left[index] ?? [] }));
        },
      };
    },
  };
}

function referrer({ _id: id, name }: MonitorDocument) {
  return { type: 'monitor' as const, id, name };
}
