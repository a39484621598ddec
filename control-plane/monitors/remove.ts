import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { PlannedChange } from './many/decision.js';
import { writePlanned } from './many/planned-change.js';
import type { MonitorNeeds } from './needs.js';

/** Deletes a monitor and resolves its incident. TTL removes its results later. */
export async function removeMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<void> {
  const monitor = await loadMonitor(needs, tx, actor, id, ifVersion);
  await writePlanned(needs, tx, actor, removing(actor, monitor));
  await announce(needs, tx, [monitor], null);
}

/** Returns the deletion of a monitor. Pure. */
export function removing(actor: Actor, monitor: MonitorDocument): PlannedChange {
  return {
    monitor,
    change: null,
    event: { action: 'monitor.deleted', resource: { type: 'monitor', id: monitor._id, name: monitor.name } },
    ends: { resolution: 'deleted', message: `Resolved because ${actor.email} deleted the monitor.`, kind: null },
  };
}
