import type { ReferenceHolder } from '../../references/references.js';
import { announce } from '../change.js';
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
    async find(tx, workspaceId, channelId, max) {
      const total = await store.countWithChannel(tx, workspaceId, channelId);
      const found = total === 0 ? [] : await store.withChannel(tx, workspaceId, channelId, max);
      return { total, items: found.map(({ _id: id, name }) => ({ type: 'monitor', id, name })) };
    },
    async detach(tx, actor, { id: channelId }) {
      const found = await store.withChannel(tx, actor.workspaceId, channelId, 0);
      // An empty list stays one: null would mean every channel.
      const left = found.map(({ channels }) => (channels ?? []).filter((id) => id !== channelId));
      const planned = found.map((monitor, index) =>
        updating(needs, actor, monitor, { ...secrets.settings(monitor), channels: left[index] ?? [] }),
      );
      await announce(needs, tx, await writeChanges(needs, tx, actor, planned), null);
      return found.map(({ _id: id, name }, index) => ({ type: 'monitor', id, name, left: left[index] ?? [] }));
    },
  };
}
