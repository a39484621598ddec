import type { Actor } from '../actor.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, resetVotes, writeChange } from './change.js';
import type { MonitorDocument } from './documents.js';
import { monitorSubject } from './monitors.js';
import type { MonitorNeeds } from './needs.js';

/** Stops the checks and resolves an unresolved incident. The status stays, and `resumeMonitor` continues with it. */
export async function pauseMonitor(
  needs: MonitorNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
): Promise<MonitorDocument> {
  const monitor = await loadMonitor(needs, tx, actor, id);
  if (monitor.paused_at_ms !== null) return monitor;
  const nowMs = needs.clock.now();
  const paused = await writeChange(needs, tx, monitor, {
    paused_at_ms: nowMs,
    updated_at_ms: nowMs,
    resolve_grace_until_ms: null,
    state: resetVotes({ ...monitor.state, incident: null }, false),
  });
  await needs.incidents.resolveSubject(tx, actor, {
    workspaceId: actor.workspaceId,
    subject: monitorSubject(id),
    resolution: 'paused',
    message: `Resolved because ${actor.email} paused the monitor.`,
    recovery: null,
  });
  await needs.audit.record(tx, actor, {
    action: 'monitor.paused',
    resource: { type: 'monitor', id, name: monitor.name },
  });
  await announce(needs, tx, [paused], null);
  return paused;
}
