import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorDocument } from '../documents.js';
import { monitorSubject } from '../monitors.js';
import type { MonitorNeeds } from '../needs.js';
import { changedMonitor } from '../store.js';
import type { PlannedChange } from './decision.js';

type Needs = Pick<MonitorNeeds, 'store' | 'incidents' | 'audit'>;

/**
 * Writes changes of monitors of one workspace, ends their incidents, and writes the audit entries: one for each, in the
 * order of the changes. It makes as many round trips for many monitors as for one. Returns the monitors as they are now,
 * deleted ones as they were.
 */
export async function writeChanges(
  needs: Needs,
  tx: Transaction,
  actor: Actor,
  planned: readonly PlannedChange[],
): Promise<MonitorDocument[]> {
  const { workspaceId } = actor;
  const changes = planned.flatMap(({ monitor, change }) => (change === null ? [] : [{ monitor, change }]));
  const deleted = planned.flatMap(({ monitor, change }) => (change === null ? [monitor._id] : []));
  // A concurrent write normally ends in a write conflict, and the transaction runs again. This is a second safeguard.
  const isWritten =
    (await needs.store.changeAll(tx, workspaceId, changes)) &&
    (await needs.store.removeAll(tx, workspaceId, deleted)) === deleted.length;
  if (!isWritten) throw new AppError('conflict', 'A monitor was changed by another request at the same time.');
  await endIncidents(needs, tx, actor, planned);
  await needs.audit.recordAll(
    tx,
    planned.map(({ event }) => ({ actor, event })),
  );
  return planned.map(({ monitor, change }) => (change === null ? monitor : changedMonitor(monitor, change)));
}

/** Writes one change. */
export async function writePlanned(
  needs: Needs,
  tx: Transaction,
  actor: Actor,
  planned: PlannedChange,
): Promise<MonitorDocument> {
  const [monitor = planned.monitor] = await writeChanges(needs, tx, actor, [planned]);
  return monitor;
}

async function endIncidents(
  { incidents }: Needs,
  tx: Transaction,
  actor: Actor,
  planned: readonly PlannedChange[],
): Promise<void> {
  const { workspaceId } = actor;
  const endings = new Map(
    planned.flatMap(({ monitor, ends }) => (ends === null ? [] : [[monitorSubject(monitor._id), ends] as const])),
  );
  if (endings.size === 0) return;
  const subjects = [...endings.keys()].map((subject) => ({ workspaceId, subject }));
  const ended = (await incidents.unresolvedOf(tx, subjects)).flatMap((incident) => {
    const ends = endings.get(incident.subject);
    if (ends === undefined || (ends.kind !== null && ends.kind !== incident.kind)) return [];
    const { resolution, message } = ends;
    return [{ incident, actor, resolution, message, recovery: null }];
  });
  if (ended.length > 0) await incidents.resolveKnown(tx, ended);
}
