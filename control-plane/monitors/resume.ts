import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, type MonitorContext, votesForgotten, writeChange } from './context.js';
import type { MonitorDocument } from './documents.js';
import { lastChecked } from './view.js';

/**
 * Back to the status before the pause, with a check at once. Results from before it no longer vote, nor do
 * those of that time that are still on a probe's disk: the first votes are those of the new checks.
 */
export async function resumeMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(context, tx, actor, id);
  if (monitor.paused_at_ms === null) return monitor;
  const resumed = await writeChange(context, tx, monitor, {
    paused_at_ms: null,
    updated_at_ms: context.clock.now(),
    live: {},
    good: {},
    live_from_version: monitor.version + 1,
    last_checked_at_ms: lastChecked(monitor),
    state: votesForgotten(monitor.state, true),
  });
  await context.audit.record(tx, actor, {
    action: 'monitor.resumed',
    resource: { type: 'monitor', id, name: monitor.name },
  });
  await announce(context, tx, [resumed], 'resume');
  return resumed;
}
