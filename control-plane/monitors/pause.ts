import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, type MonitorContext, votesForgotten, writeChange } from './context.js';
import type { MonitorDocument } from './documents.js';
import { monitorSubject } from './monitors.js';

/** Stops the checks and ends a firing incident. The verdict's status stays, for `resumeMonitor` to return to. */
export async function pauseMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(context, tx, actor, id);
  if (monitor.paused_at_ms !== null) return monitor;
  const nowMs = context.clock.now();
  const paused = await writeChange(context, tx, monitor, {
    paused_at_ms: nowMs,
    updated_at_ms: nowMs,
    resolve_grace_until_ms: null,
    state: votesForgotten({ ...monitor.state, incident: null }, false),
  });
  await context.incidents.resolveSubject(tx, actor, {
    workspaceId: actor.workspaceId,
    subject: monitorSubject(id),
    resolution: 'paused',
    message: `Resolved because the monitor was paused by ${actor.email}.`,
    recovery: null,
  });
  await context.audit.record(tx, actor, {
    action: 'monitor.paused',
    resource: { type: 'monitor', id, name: monitor.name },
  });
  await announce(context, tx, [paused], null);
  return paused;
}
