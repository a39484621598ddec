import { announce, rulesFor } from '../change.js';
import { insertMonitors, newMonitor, reserveMonitors } from '../create.js';
import type { BulkMonitors } from '../monitors.js';
import type { MonitorNeeds } from '../needs.js';
import { newSettings } from '../settings/build.js';
import { updating } from '../update.js';
import { writeChanges } from './planned-change.js';

/** Returns what export and import use of this slice. */
export function createBulkMonitors(needs: MonitorNeeds): BulkMonitors {
  const { store, secrets, channels } = needs;
  return {
    listOldest: (workspaceId, afterId, limit) => store.listOldest(workspaceId, afterId, limit),
    findByNames: store.findByNames,
    unknownChannels: (tx, workspaceId, ids) => channels.unknown(tx, workspaceId, ids),
    settings: secrets.settings,
    newSettings: (actor, input) => newSettings(input, rulesFor(needs, actor)),
    reserve: (tx, actor, adding) => reserveMonitors(needs, tx, actor, adding),
    async create(tx, actor, monitors) {
      const created = monitors.map(({ settings, pausedAtMs }) => newMonitor(needs, actor, settings, pausedAtMs));
      if (created.length > 0) await insertMonitors(needs, tx, actor, created);
      return created;
    },
    updating: (actor, monitor, settings) => updating(needs, actor, monitor, settings),
    write: (tx, actor, planned) => writeChanges(needs, tx, actor, planned),
    announce: (tx, monitors, run) => announce(needs, tx, monitors, run),
  };
}
