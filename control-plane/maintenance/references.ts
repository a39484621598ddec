import type { ReferenceHolder } from '../references/references.js';
import { audited, settingsChanges } from './audited.js';
import { writeChange } from './change.js';
import type { WindowNeeds } from './needs.js';
import { refuseTooManyPast } from './uptime/past.js';

/** Returns the windows as what names monitors and servers. */
export function windowReferences(needs: WindowNeeds): ReferenceHolder[] {
  return [referencesIn(needs, 'monitor_ids', 'monitor'), referencesIn(needs, 'server_ids', 'server')];
}

function referencesIn(
  needs: WindowNeeds,
  field: 'monitor_ids' | 'server_ids',
  to: 'monitor' | 'server',
): ReferenceHolder {
  return {
    to,
    read: 'maintenance:read',
    write: 'maintenance:write',
    limited: true,
    async findAny(tx, workspaceId, ids, max) {
      const found = await needs.store.naming(tx, workspaceId, field, ids);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, name }) => ({ type: 'maintenance_window', id: _id, name })),
        named: found.flatMap((window) => window[field]),
      };
    },
    async find(tx, workspaceId, id, max) {
      const found = await needs.store.naming(tx, workspaceId, field, [id]);
      return {
        total: found.length,
        items: found.slice(0, max).map(({ _id, name }) => ({ type: 'maintenance_window', id: _id, name })),
        async detach(actor) {
          const detached = [];
          for (const window of found) {
            if (window.counts_in_uptime === false) {
              await refuseTooManyPast(needs, tx, workspaceId, needs.clock.now());
            }
            const left = window[field].filter((one) => one !== id);
            const changed = await writeChange(needs, tx, window, { [field]: left });
            const changes = settingsChanges(window, changed);
            await needs.audit.record(tx, actor, audited('maintenance.updated', changed, { changes }));
            detached.push({ type: 'maintenance_window' as const, id: window._id, name: window.name, left });
          }
          return detached;
        },
      };
    },
  };
}
