import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resetVotes, writeChange } from './change.js';
import type { MonitorDocument } from './documents.js';
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
  const resumed = await writeChange(needs, tx, monitor, {
    paused_at_ms: null,
    updated_at_ms: needs.clock.now(),
    live: {},
    good: {},
    live_from_version: monitor.version + 1,
    last_checked_at_ms: lastChecked(monitor),
    state: resetVotes(monitor.state, true),
  });
  await needs.audit.record(tx, actor, {
    action: 'monitor.resumed',
    resource: { type: 'monitor', id, name: monitor.name },
  });
  await announce(needs, tx, [resumed], 'resume');
  return resumed;
}
