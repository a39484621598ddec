import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resetVotes } from './change.js';
import type { MonitorDocument } from './documents.js';
import type { PlannedChange } from './many/decision.js';
import { writePlanned } from './many/planned-change.js';
import type { MonitorNeeds } from './needs.js';
import { lastChecked } from './view.js';

/**
 * Starts the checks again, with one at once, and continues with the status before the pause. Results of checks that
 * were made before this moment do not vote, even if a probe delivers them later.
 */
export async function resumeMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(needs, tx, actor, id);
  if (monitor.paused_at_ms === null) return monitor;
  const resumed = await writePlanned(needs, tx, actor, resuming(monitor, needs.clock.now()));
  await announce(needs, tx, [resumed], 'resume');
  return resumed;
}

/** Returns the change that resumes a paused monitor. Pure. */
export function resuming(monitor: MonitorDocument, nowMs: number): PlannedChange {
  return {
    monitor,
    change: {
      paused_at_ms: null,
      updated_at_ms: nowMs,
      live: {},
      good: {},
      live_from_version: monitor.version + 1,
      last_checked_at_ms: lastChecked(monitor),
      state: resetVotes(monitor.state, true),
    },
    event: { action: 'monitor.resumed', resource: { type: 'monitor', id: monitor._id, name: monitor.name } },
    ends: null,
  };
}
