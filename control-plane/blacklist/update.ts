import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistMonitorDocument, Frequency } from './documents.js';
import { loadMonitor } from './load.js';
import { nextCheckMs } from './monitoring/schedule.js';
import type { BlacklistNeeds } from './needs.js';

/** Updates how often a monitor is checked. A request that changes nothing writes nothing. */
export async function updateBlacklistMonitor(
  needs: BlacklistNeeds,
  tx: Transaction,
  actor: Actor,
  request: { id: string; patch: { frequency?: Frequency }; ifVersion: number | null },
): Promise<BlacklistMonitorDocument> {
  const { store, audit, clock } = needs;
  const monitor = await loadMonitor(store, tx, actor, request);
  const { frequency = monitor.frequency } = request.patch;
  if (frequency === monitor.frequency) return monitor;
  const nowMs = clock.now();
  const changed = await store.change(tx, monitor, {
    frequency,
    // A check that is already due stays due; otherwise a change each minute would postpone it forever.
    next_at_ms: monitor.next_at_ms <= nowMs ? monitor.next_at_ms : nextCheckMs(monitor._id, frequency, nowMs),
    updated_at_ms: nowMs,
  });
  // A concurrent change normally causes a write conflict and a retry of the transaction, so this is not expected.
  if (changed === null) {
    throw new AppError('conflict', 'The blacklist monitor was changed by another request at the same time.');
  }
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.updated',
    resource: { type: 'blacklist_monitor', id: changed._id, name: changed.target },
    metadata: { changes: { frequency: { from: monitor.frequency, to: frequency } } },
  });
  return changed;
}
