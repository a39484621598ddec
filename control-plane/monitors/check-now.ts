import { toIso } from '../../kernel/clock.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { loadMonitor, type MonitorContext, runNow } from './context.js';
import type { CheckRequested } from './schema.js';

/** The way of a command to a probe and of a result back, at most. */
const RESULT_WAY_MS = 2_000;

/** Has every location check at once. A paused monitor is not checked by hand either: paused means no checks. */
export async function checkMonitorNow(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<CheckRequested> {
  const monitor = await loadMonitor(context, tx, actor, id);
  if (monitor.paused_at_ms !== null) {
    throw new AppError('conflict', 'The monitor is paused, so it is not checked. Resume it first.');
  }
  const slotMs = context.clock.now();
  tx.afterCommit(() => runNow(context, monitor, 'manual', slotMs));
  return {
    monitor_id: monitor._id,
    slot: toIso(slotMs),
    locations: monitor.locations,
    results_by: toIso(slotMs + monitor.timeout_ms + RESULT_WAY_MS),
  };
}
