import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { loadMonitor, runNow } from './change.js';
import type { MonitorNeeds } from './needs.js';
import type { CheckRequested } from './schema.js';

/** The longest time for a command to reach a probe and for the result to come back. */
const ROUND_TRIP_MS = 2_000;

/** Has every location check the monitor at once. Throws 409 for a paused monitor: paused means no checks at all. */
export async function checkMonitorNow(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<CheckRequested> {
  const monitor = await loadMonitor(needs, tx, actor, id);
  if (monitor.paused_at_ms !== null) {
    throw new AppError('conflict', 'The monitor is paused. Resume it before you request a check.');
  }
  const slotMs = needs.clock.now();
  tx.afterCommit(() => runNow(needs, monitor, 'manual', slotMs));
  return {
    monitor_id: monitor._id,
    slot: toIso(slotMs),
    locations: monitor.locations,
    results_by: toIso(slotMs + monitor.timeout_ms + ROUND_TRIP_MS),
  };
}
