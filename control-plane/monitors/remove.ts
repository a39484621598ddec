import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { announce, loadMonitor, type MonitorContext } from './context.js';
import { monitorSubject } from './monitors.js';

/** Deletes a monitor. Its incident ends with it; its results go when their time is up. */
export async function removeMonitor(
  context: MonitorContext,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<void> {
  const monitor = await loadMonitor(context, tx, actor, id, ifVersion);
  if (!(await context.store.remove(tx, actor.workspaceId, id))) throw notFound('monitor');
  await context.incidents.resolveSubject(tx, actor, {
    workspaceId: actor.workspaceId,
    subject: monitorSubject(id),
    resolution: 'deleted',
    message: `Resolved because the monitor was deleted by ${actor.email}.`,
    recovery: null,
  });
  await context.audit.record(tx, actor, {
    action: 'monitor.deleted',
    resource: { type: 'monitor', id, name: monitor.name },
  });
  await announce(context, tx, [monitor], null);
}
