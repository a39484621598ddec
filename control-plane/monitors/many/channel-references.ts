import type { ReferenceHolder } from '../../references/references.js';
import { announce } from '../change.js';
import type { MonitorDocument } from '../documents.js';
import type { MonitorNeeds } from '../needs.js';
import { updating } from '../update.js';
import { writeChanges } from './planned-change.js';

/** Returns the monitors as what names channels. Those that have every channel of the workspace name none. */
export function channelReferences(needs: MonitorNeeds): ReferenceHolder {
  const { store, secrets } = needs;
  return {
    to: 'channel',
    read: 'monitors:read',
    write: 'monitors:write',
    limited: true,
    async find(tx, workspaceId, channelId, max) {
      const read = await store.withChannel(tx, workspaceId, channelId, max + 1);
      const found = read.slice(0, max);
      const total = read.length > max ? await store.countWithChannel(tx, workspaceId, channelId) : read.length;
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
