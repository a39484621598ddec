import type { Actor } from '../actor.js';
import { type DeletionReply, deletionReply, endedMetadata } from '../references/ended.js';
import { namesNoOther } from '../references/references.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { PlannedChange } from './many/decision.js';
import { writePlanned } from './many/planned-change.js';
import type { MonitorNeeds } from './needs.js';

/**
 * Deletes a monitor and resolves its incident. TTL removes its results later. Throws 409 while maintenance windows name it;
 * with `detach`, removes it from them.
 */
export async function removeMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  { id, ifVersion, detach }: { id: string; ifVersion: number | null; detach: boolean },
): Promise<DeletionReply> {
  const monitor = await loadMonitor(needs, tx, actor, id, ifVersion);
  const ended = await needs.references.end(tx, actor, 'monitor', { id, name: monitor.name }, detach);
  const muted = ended.detached.filter(namesNoOther);
  const { event, ...planned } = removing(actor, monitor);
  const metadata = endedMetadata(ended, muted);
  await writePlanned(needs, tx, actor, {
    ...planned,
    event: Object.keys(metadata).length === 0 ? event : { ...event, metadata },
  });
  await announce(needs, tx, [monitor], null);
  return deletionReply(ended, muted);
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
