import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { type BlacklistContext, loadMonitor } from './context.js';
import type { BlacklistMonitorDocument, Frequency } from './documents.js';
import { nextCheckMs } from './monitoring/schedule.js';

/** Changes how often a monitor is checked; a change that changes nothing leaves no trace. */
export async function updateBlacklistMonitor(
  context: BlacklistContext,
  tx: Transaction,
  actor: Actor,
  what: { id: string; patch: { frequency?: Frequency }; ifVersion: number | null },
): Promise<BlacklistMonitorDocument> {
  const { store, audit, clock } = context;
  const monitor = await loadMonitor(context, tx, actor, what);
  const { frequency = monitor.frequency } = what.patch;
  if (frequency === monitor.frequency) return monitor;
  const nowMs = clock.now();
  const changed = await store.change(tx, monitor, {
    frequency,
    // What is due already stays due, or a change each minute would put the check off for ever.
    next_at_ms: monitor.next_at_ms <= nowMs ? monitor.next_at_ms : nextCheckMs(monitor._id, frequency, nowMs),
    updated_at_ms: nowMs,
  });
  // Within a transaction a rival write ends in a write conflict and a new try, so this is a last line of defence.
  if (changed === null) {
    throw new AppError('conflict', 'The blacklist monitor was changed by someone else at the same moment.');
  }
  await audit.record(tx, actor, {
    action: 'blacklist_monitor.updated',
    resource: { type: 'blacklist_monitor', id: changed._id, name: changed.target },
    metadata: { changes: { frequency: { from: monitor.frequency, to: frequency } } },
  });
  return changed;
}
