import { type Actor, systemActor } from '../actor.js';
import type { MonitorDocument } from '../monitors/documents.js';
import type { PlannedChange } from '../monitors/monitors.js';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import type { BulkItemDocument, BulkJobDocument, JobActor } from './documents.js';
import type { BulkNeeds } from './needs.js';
import { CHECKED_AT_ONCE_MAX, operationOf } from './start.js';

/** What a part does with one monitor. */
interface Step {
  item: BulkItemDocument;
  planned: PlannedChange | null;
  /** A deleted monitor that is created again. */
  again: MonitorDocument | null;
}

/**
 * Writes the next monitors of a job in one transaction, together with its progress. So a part is written once, whoever
 * writes it and whatever is killed. Resolves to whether the job has parts left.
 */
export function writePart(
  needs: BulkNeeds,
  { workspaceId, jobId, plan }: { workspaceId: string; jobId: string; plan: PlanName },
  monitorsMax: number,
): Promise<boolean> {
  return needs.runTransaction(async (tx) => {
    const job = await needs.store.find(workspaceId, jobId, tx);
    if (job?.open !== true) return false;
    const items = await needs.store.items(tx, job, job.done, monitorsMax);
    const ids = items.map((item) => item.monitor_id);
    const found = await needs.monitors.named(workspaceId, ids, tx);
    const monitors = new Map(found.map((monitor) => [monitor._id, monitor]));
    const actor = actorOf(job, plan);
    const decideStep = job.state === 'applying' ? applying(needs, actor, job) : undoing(needs, actor, job);
    const steps = items.map((item) => decideStep(item, monitors.get(item.monitor_id) ?? null));
    const written = await writeSteps(needs, tx, actor, job, steps);
    const done = job.done + items.length;
    // Items that are missing, because somebody removed them, must not keep the job open for ever.
    const isLast = done >= job.monitors || items.length === 0;
    const isWritten = await needs.store.writePart(tx, job, job.done, written, {
      ...{ done: isLast ? job.monitors : done },
      ...counted(job, written),
      ...(isLast ? ending(job, needs.clock.now()) : {}),
    });
    if (!isWritten) throw new Error(`another process has written this part of the bulk change ${jobId}`);
    return !isLast;
  });
}

/** Returns the person of the job as an actor with the plan that the workspace has now. */
function actorOf({ workspace_id, state, actor, undo }: BulkJobDocument, plan: PlanName): Actor {
  const { key, ...person }: JobActor = state === 'undoing' && undo !== null ? undo.actor : actor;
  return {
    ...systemActor({ id: workspace_id, name: '', plan }, person.requestId),
    ...person,
    key: key === null ? null : { ...key, lastUsedAt: null, expiresAt: null },
  };
}

type DecideStep = (item: BulkItemDocument, monitor: MonitorDocument | null) => Step;

/** Decides anew on the monitor as it is now: a change that somebody made in the meantime came first. */
function applying(needs: BulkNeeds, actor: Actor, job: BulkJobDocument): DecideStep {
  const operation = operationOf(needs, job);
  return (item, monitor) => {
    const skipped = (reason: string): Step => ({
      item: { ...item, state: 'skipped', reason },
      ...{ planned: null, again: null },
    });
    if (monitor === null) return skipped('It was deleted in the meantime.');
    const decision = needs.monitors.decide(actor, monitor, operation);
    if (decision.kind === 'refused') {
      const [first] = decision.errors;
      return skipped(`${first?.path ?? ''} ${first?.message ?? ''}`.trim());
    }
    if (decision.kind === 'unchanged') return skipped('Somebody made the same change in the meantime.');
    const image = needs.monitors.imageOf(monitor, operation);
    return { item: { ...item, state: 'applied', image }, planned: decision.plan(), again: null };
  };
}

function undoing(needs: BulkNeeds, actor: Actor, { undo }: BulkJobDocument): DecideStep {
  return (item, monitor) => {
    const kept = (reason: string): Step => ({
      item: { ...item, state: 'kept', reason },
      ...{ planned: null, again: null },
    });
    const undone = { ...item, state: 'undone' as const };
    if (item.state !== 'applied' || item.image === null) return { item, planned: null, again: null };
    if (item.image.of === 'monitor') {
      if (monitor !== null) return kept('A monitor with this id exists.');
      return { item: undone, planned: null, again: item.image.monitor };
    }
    if (monitor === null) return kept('It was deleted since.');
    if (monitor.version !== item.version && undo?.on_conflict !== 'overwrite') return kept('It was changed since.');
    return { item: undone, planned: needs.monitors.undoing(actor, monitor, item.image), again: null };
  };
}

/** Returns the items that changed, with the versions that were written. */
async function writeSteps(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  job: BulkJobDocument,
  steps: readonly Step[],
): Promise<BulkItemDocument[]> {
  const planned = steps.flatMap((step) => step.planned ?? []);
  const checkNow = job.monitors <= CHECKED_AT_ONCE_MAX;
  const written = planned.length === 0 ? [] : await monitors.write(tx, actor, planned, checkNow);
  const again = steps.flatMap((step) => step.again ?? []);
  if (again.length > 0) await monitors.createAgain(tx, actor, again);
  const versions = new Map(written.map(({ _id, version }) => [_id, version]));
  return steps.map(({ item }) => ({ ...item, version: versions.get(item.monitor_id) ?? item.version }));
}

function counted(job: BulkJobDocument, items: readonly BulkItemDocument[]): Partial<BulkJobDocument> {
  const of = (state: BulkItemDocument['state']) => items.filter((item) => item.state === state).length;
  if (job.state === 'applying') return { skipped: job.skipped + of('skipped') };
  return { kept: job.kept + of('kept') };
}

function ending({ state }: BulkJobDocument, nowMs: number): Partial<BulkJobDocument> {
  if (state === 'applying') return { state: 'applied', finished_at_ms: nowMs, sealed: null };
  return { state: 'undone', undone_at_ms: nowMs };
}
