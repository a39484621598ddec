import { isDeepStrictEqual } from 'node:util';
import { createPeriodicTask, type PeriodicTask } from '../../../kernel/periodic-task.js';
import { platformActor } from '../../actor.js';
import type { Hold } from '../../dependencies/dependencies.js';
import type { Transaction } from '../../storage/transaction.js';
import { shortName } from '../../wording.js';
import { alertEvent } from '../audited.js';
import { FIRING, SYSTEM } from '../change.js';
import type { IncidentDocument } from '../documents.js';
import { onTimeline } from '../on-timeline.js';
import type { SilenceEndNeeds } from './end-job.js';
import { DEPENDENTS_NAMED_MAX, type HeldIncident } from './held-store.js';
import { heldEvent, holdsNow, releasedMessage, silentRecord } from './hold.js';

/** An incident fires at most this long after nothing that it depends on keeps it silent any more, unless many do at once. */
const PERIOD_MS = 5_000;
/** Incidents that are compared at once. */
const COMPARED_AT_ONCE_MAX = 500;
/** Incidents of one workspace that fire in one transaction. Then it is the turn of the next workspace. */
const FIRED_AT_ONCE_MAX = 50;

/** What is silent because of a monitor, as this run has found it. */
type Below = Map<string, { down: number; names: string[] }>;

/** The incidents that nothing keeps silent any more, by workspace. */
type Due = Map<string, string[]>;

/**
 * Returns the periodic task that compares incidents with the monitors because of which they are silent. Where none is down any more
 * (it has recovered, was paused or deleted, or the dependency was), the incident fires. Everything that this needs is in the
 * database, and every control plane runs it: the filter of the write lets one of them change an incident.
 */
export function createParentsTask(needs: SilenceEndNeeds): PeriodicTask & { runOnce(): Promise<void> } {
  const { clock, logger, store } = needs;
  const compareAll = async (incidents: readonly HeldIncident[], below: Below, due: Due) => {
    const nowMs = clock.now();
    for (const [workspaceId, own] of byWorkspace(incidents)) {
      let counted = 0;
      try {
        const holds = await holdsNow(needs, undefined, own, nowMs);
        for (const incident of own) {
          const hold = holds.get(incident) ?? null;
          count(below, incident, hold);
          counted += 1;
          await compare(needs, incident, hold, due, nowMs);
        }
      } catch (err) {
        // What is silent stays so until the next run.
        for (const incident of own.slice(counted)) count(below, incident, incident.dependency);
        logger.warn({ err, workspace: workspaceId }, 'failed to compare incidents with what they depend on, retrying');
      }
    }
  };
  const runOnce = async () => {
    const below: Below = new Map();
    const due: Due = new Map();
    let batch: HeldIncident[] = [];
    for await (const incident of store.heldByParents()) {
      batch.push(incident);
      if (batch.length < COMPARED_AT_ONCE_MAX) continue;
      await compareAll(batch, below, due);
      batch = [];
    }
    await compareAll(batch, below, due);
    await fireInTurns(needs, due);
    await noteDependents(needs, below);
  };
  const task = createPeriodicTask({
    clock,
    periodMs: PERIOD_MS,
    run: runOnce,
    onFailure: (err) =>
      logger.warn({ err, task: 'dependencies' }, 'failed to find incidents that a dependency keeps silent, retrying'),
  });
  return { ...task, runOnce };
}

async function compare(
  needs: SilenceEndNeeds,
  incident: HeldIncident,
  hold: Hold | null,
  due: Due,
  nowMs: number,
): Promise<void> {
  const { _id, workspace_id, dependency: known, silenced_by } = incident;
  if (hold === null) {
    if ((silenced_by ?? null) !== null) return needs.store.setHold(incident, null, null);
    const ids = due.get(workspace_id) ?? [];
    ids.push(_id);
    due.set(workspace_id, ids);
    return;
  }
  if (isDeepStrictEqual(hold, known)) return;
  const isOther = hold.state !== known.state || hold.monitor_id !== known.monitor_id;
  const noted = { event: heldEvent(hold, nowMs), silent: silentRecord(hold, nowMs) };
  await needs.store.setHold(incident, hold, isOther || hold.incident_id !== known.incident_id ? noted : null);
}

/** Lets incidents fire, a few of each workspace in turn, so that none waits for all of another. */
async function fireInTurns(needs: SilenceEndNeeds, due: Due): Promise<void> {
  // Another control plane may just have changed a window.
  if (due.size > 0) await needs.maintenance.refresh();
  for (let from = 0; due.size > 0; from += FIRED_AT_ONCE_MAX) {
    for (const [workspaceId, ids] of due) {
      if (ids.length <= from) due.delete(workspaceId);
      else await fireSome(needs, workspaceId, ids.slice(from, from + FIRED_AT_ONCE_MAX));
    }
  }
}

/** If they do not fire together, each is tried alone: one of them must not keep the others silent. */
async function fireSome(needs: SilenceEndNeeds, workspaceId: string, ids: readonly string[]): Promise<void> {
  try {
    await needs.runTransaction((tx) => fire(needs, tx, workspaceId, ids));
  } catch (err) {
    needs.logger.warn({ err, workspace: workspaceId }, 'failed to let incidents fire, retrying');
    if (ids.length > 1) for (const id of ids) await fireSome(needs, workspaceId, [id]);
  }
}

async function fire(
  needs: SilenceEndNeeds,
  tx: Transaction,
  workspaceId: string,
  ids: readonly string[],
): Promise<void> {
  const nowMs = needs.clock.now();
  const found = await needs.store.findMany(
    ids.map((id) => ({ workspaceId, id })),
    tx,
  );
  const silent = found.filter(
    ({ status, dependency, silenced_by }) =>
      status === 'silenced' && dependency != null && (silenced_by ?? null) === null,
  );
  const holds = await holdsNow(needs, tx, silent, nowMs);
  const free = silent.filter((incident) => !holds.has(incident));
  const tagsOf = await needs.tagsNow(free, tx);
  const changes = free.map((incident) => afterHold(needs, incident, tagsOf(incident), nowMs));
  const changed = await needs.store.changeAll(tx, changes);
  const fired = changed.filter(({ status }) => status === 'firing');
  const actor = platformActor(workspaceId);
  const entries = fired.map((incident) => ({ actor, event: alertEvent('alert.unsilenced', incident) }));
  await needs.audit.recordAll(tx, entries);
  const isAcknowledged = ({ acknowledged_at_ms }: IncidentDocument) => acknowledged_at_ms !== null;
  await needs.notifier.enqueue(
    tx,
    fired.filter((incident) => !isAcknowledged(incident)),
    'unsilenced',
  );
  // The end of a silence is no news to whoever acknowledged it, but its channels were never notified of its opening.
  await needs.notifier.enqueue(tx, fired.filter(isAcknowledged), 'opened');
  await onTimeline(needs, tx, changed);
}

/** Lets an incident fire; it stays silent, until the end of the window, while maintenance covers its resource. */
function afterHold(
  { maintenance }: Pick<SilenceEndNeeds, 'maintenance'>,
  incident: IncidentDocument,
  tags: readonly string[],
  nowMs: number,
): Parameters<SilenceEndNeeds['store']['changeAll']>[1][number] {
  const { workspace_id: workspaceId, resource, dependency } = incident;
  const window = maintenance.covering({ workspaceId, type: resource.type, id: resource.id, tags }, nowMs);
  if (window === null) {
    const message = dependency == null ? '' : releasedMessage(dependency);
    return { incident, change: FIRING, event: { at_ms: nowMs, type: 'unsilenced', message, actor: SYSTEM } };
  }
  const message = `Silenced by the maintenance window “${shortName(window.name)}”.`;
  return {
    incident,
    change: { maintenance: { ...window, fires: 'at_end' }, dependency: null },
    event: { at_ms: nowMs, type: 'silenced', message, actor: SYSTEM, until_ms: window.until_ms },
  };
}

function byWorkspace(incidents: readonly HeldIncident[]): Map<string, HeldIncident[]> {
  const groups = new Map<string, HeldIncident[]>();
  for (const incident of incidents) {
    const group = groups.get(incident.workspace_id) ?? [];
    group.push(incident);
    groups.set(incident.workspace_id, group);
  }
  return groups;
}

function count(below: Below, { resource }: HeldIncident, hold: Hold | null): void {
  for (const id of hold?.ancestor_ids ?? []) {
    const known = below.get(id) ?? { down: 0, names: [] };
    known.down += 1;
    if (known.names.length < DEPENDENTS_NAMED_MAX) known.names.push(resource.name);
    below.set(id, known);
  }
}

/** Notes what is silent because of each outage, for its reminders and for whoever reads it. */
async function noteDependents({ store, dependencies }: SilenceEndNeeds, below: Below): Promise<void> {
  for await (const incident of store.parentIncidents()) {
    const { monitor_id, workspace_id, dependents } = incident;
    const now = below.get(monitor_id ?? '') ?? { down: 0, names: [] };
    if (monitor_id === null || isDeepStrictEqual({ ...now, total: dependents.total }, dependents)) continue;
    const total = (await dependencies.dependentsOf(workspace_id, [monitor_id])).get(monitor_id) ?? 0;
    await store.noteDependents(incident, { ...now, total: Math.max(total, now.down, 1) });
  }
}
