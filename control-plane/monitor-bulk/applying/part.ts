import { type Actor, systemActor } from '../../actor.js';
import type { FieldError } from '../../errors.js';
import type { MonitorDocument } from '../../monitors/documents.js';
import type { PlannedChange, RevivedMonitor } from '../../monitors/monitors.js';
import type { PlanName } from '../../plans/plans.js';
import type { Transaction } from '../../storage/transaction.js';
import type { BulkItemDocument, BulkJobDocument, JobActor, RestoredVersion } from '../documents.js';
import { UNDO_MS } from '../kept.js';
import type { BulkNeeds } from '../needs.js';
import { CHECKED_AT_ONCE_MAX, operationOf } from '../start.js';
import { goneChannels, goneFromImage, goneFromOperation, withoutChannels, withoutGone } from './gone-channels.js';

const NO_FAILURES = { failures: 0, retry_at_ms: 0 };

/** What a part does with one monitor. */
interface Step {
  item: BulkItemDocument;
  planned: PlannedChange | null;
  /** A deleted monitor that is created again. */
  again: RevivedMonitor | null;
  /** The version whose settings the monitor has again afterwards; null if it has not exactly those. */
  restores: number | null;
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
    const gone = await goneChannels(needs, tx, job, items);
    const decideStep = job.state === 'applying' ? applying(needs, actor, job, gone) : undoing(needs, actor, job, gone);
    const decided = items.map((item) => decideStep(item, monitors.get(item.monitor_id) ?? null));
    const steps = await endReferences(needs, tx, actor, job, decided);
    const { written, restored } = await writeSteps(needs, tx, actor, job, steps);
    if (restored.length > 0) await needs.store.moveVersions(tx, workspaceId, restored);
    const done = job.done + items.length;
    // Items that are missing, because somebody removed them, must not keep the job open for ever.
    const isLast = done >= job.monitors || items.length === 0;
    const isWritten = await needs.store.writePart(tx, job, job.done, written, {
      ...{ done: isLast ? job.monitors : done },
      ...counted(job, written),
      ...NO_FAILURES,
      ...(isLast ? ending(job, needs.clock.now()) : {}),
    });
    if (job.state === 'undoing' && job.operation === 'delete') {
      const left = isLast ? 0 : await needs.store.countFrom(tx, job, 'applied', done);
      await needs.monitors.keepRoom(tx, workspaceId, left);
    }
    if (!isWritten) throw new Error(`another process has written this part of the bulk change ${jobId}`);
    return !isLast;
  });
}

/**
 * Ends a job whose next part can never be written: otherwise the workspace could make no bulk change any more. The monitors
 * that are left stay as they are.
 */
export function leaveRest(
  { store, monitors, clock, runTransaction }: BulkNeeds,
  { workspaceId, jobId }: { workspaceId: string; jobId: string },
): Promise<void> {
  return runTransaction(async (tx) => {
    const job = await store.find(workspaceId, jobId, tx);
    if (job?.open !== true) return;
    const left = await store.leaveRest(tx, job, {
      path: '',
      message: 'Picket could not change it. The log of the control plane says why.',
      code: 'not_written',
    });
    const isApplying = job.state === 'applying';
    if (!isApplying && job.operation === 'delete') await monitors.keepRoom(tx, workspaceId, 0);
    await store.writePart(tx, job, job.done, [], {
      done: job.monitors,
      ...(isApplying ? { skipped: job.skipped + left } : { kept: job.kept + left }),
      ...NO_FAILURES,
      ...ending(job, clock.now()),
    });
  });
}

/** Returns the person of the job as an actor with the plan that the workspace has now. */
function actorOf({ _id, workspace_id, state, actor, undo }: BulkJobDocument, plan: PlanName): Actor {
  const { key, ...person }: JobActor = state === 'undoing' && undo !== null ? undo.actor : actor;
  return {
    ...systemActor({ id: workspace_id, name: '', plan }, person.requestId),
    ...person,
    bulkId: _id,
    key: key === null ? null : { ...key, lastUsedAt: null, expiresAt: null },
  };
}

type DecideStep = (item: BulkItemDocument, monitor: MonitorDocument | null) => Step;

/** Decides anew on the monitor as it is now: a change that somebody made in the meantime came first. */
function applying(needs: BulkNeeds, actor: Actor, job: BulkJobDocument, gone: ReadonlySet<string>): DecideStep {
  const operation = operationOf(needs, job);
  const refusal = goneFromOperation(operation, gone);
  return (item, monitor) => {
    const skipped = (error: FieldError, reason = error.message): Step => ({
      item: { ...item, state: 'skipped', reason, error },
      ...{ planned: null, again: null, restores: null },
    });
    if (monitor === null) return skipped({ path: '', message: 'It was deleted in the meantime.', code: 'deleted' });
    if (refusal !== null) return skipped(refusal, `${refusal.path} ${refusal.message}`);
    const decision = needs.monitors.decide(actor, monitor, operation);
    if (decision.kind === 'refused') {
      const [first] = decision.errors;
      const error = first ?? { path: '', message: '' };
      return skipped(error, `${error.path} ${error.message}`.trim());
    }
    if (decision.kind === 'unchanged') {
      return skipped({ path: '', message: 'Somebody made the same change in the meantime.', code: 'same_change' });
    }
    const applied = { ...item, state: 'applied', image: decision.image(), found_version: monitor.version } as const;
    return { item: applied, planned: decision.plan(), again: null, restores: null };
  };
}

function undoing(needs: BulkNeeds, actor: Actor, { undo }: BulkJobDocument, gone: ReadonlySet<string>): DecideStep {
  return (item, monitor) => {
    const kept = (error: FieldError, reason = error.message): Step => ({
      item: { ...item, state: 'kept', reason, error, image: null },
      ...{ planned: null, again: null, restores: null },
    });
    // Secrets of images that nobody needs any more must not stay.
    const undone = { ...item, state: 'undone' as const, image: null };
    if (item.state !== 'applied' || item.image === null) return { item, planned: null, again: null, restores: null };
    if (item.image.of === 'monitor') {
      if (monitor !== null) return kept({ path: '', message: 'A monitor with this id exists.', code: 'exists' });
      const { monitor: before } = item.image;
      const again = withoutGone(before, gone);
      const error = withoutChannels(again);
      if (error === null) return { item: undone, planned: null, again, restores: before.version };
      return { item: { ...undone, reason: error.message, error }, planned: null, again, restores: null };
    }
    if (monitor === null) return kept({ path: '', message: 'It was deleted since.', code: 'deleted' });
    const isUnchanged = monitor.version === item.version;
    if (!isUnchanged && undo?.on_conflict !== 'overwrite') {
      return kept({ path: '', message: 'It was changed since.', code: 'changed' });
    }
    const refusal = goneFromImage(item, gone);
    if (refusal !== null) return kept(refusal, `${refusal.path} ${refusal.message}`);
    const decision = needs.monitors.undoing(actor, monitor, item.image, item.version);
    if (decision.kind === 'refused') return kept(decision.error, decision.reason);
    const restores = isUnchanged ? (item.found_version ?? null) : null;
    return { item: undone, planned: decision.planned, again: null, restores };
  };
}

/** Leaves out deletions of monitors that something names, unless the operation removes them from there. */
async function endReferences(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  job: BulkJobDocument,
  steps: readonly Step[],
): Promise<Step[]> {
  const deletions = steps.flatMap(({ planned }) => (planned?.change === null ? planned : []));
  const operation = job.state === 'applying' ? operationOf(needs, job) : null;
  const detach = operation?.type === 'delete' && operation.detach === true;
  const { planned, refused } = await needs.monitors.endReferences(tx, actor, deletions, detach);
  return steps.map((step): Step => {
    const error = refused.get(step.item.monitor_id);
    if (error === undefined) return { ...step, planned: planned.get(step.item.monitor_id) ?? step.planned };
    const state = job.state === 'applying' ? 'skipped' : 'kept';
    const item = { ...step.item, state, image: null, reason: error.message, error } as const;
    return { item, planned: null, again: null, restores: null };
  });
}

/** Returns the items that changed, with the versions that were written, and what an undo restored completely. */
async function writeSteps(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  job: BulkJobDocument,
  steps: readonly Step[],
): Promise<{ written: BulkItemDocument[]; restored: RestoredVersion[] }> {
  const planned = steps.flatMap((step) => step.planned ?? []);
  const checkNow = job.monitors <= CHECKED_AT_ONCE_MAX;
  const changed = planned.length === 0 ? [] : await monitors.write(tx, actor, planned, checkNow);
  const again = steps.flatMap((step) => step.again ?? []);
  const created = again.length === 0 ? [] : await monitors.createAgain(tx, actor, again);
  const versions = new Map([...changed, ...created].map(({ _id, version }) => [_id, version]));
  return {
    written: steps.map(({ item }) => ({ ...item, version: versions.get(item.monitor_id) ?? item.version })),
    restored: steps.flatMap(({ item: { monitor_id: monitorId }, restores: from }) => {
      const to = versions.get(monitorId);
      return from === null || to === undefined ? [] : [{ monitorId, from, to }];
    }),
  };
}

function counted(job: BulkJobDocument, items: readonly BulkItemDocument[]): Partial<BulkJobDocument> {
  const of = (state: BulkItemDocument['state']) => items.filter((item) => item.state === state);
  if (job.state === 'applying') return { skipped: job.skipped + of('skipped').length };
  const without = of('undone').filter(({ reason }) => reason !== null).length;
  return {
    kept: job.kept + of('kept').length,
    ...(without === 0 ? {} : { without_channels: (job.without_channels ?? 0) + without }),
  };
}

function ending({ state }: BulkJobDocument, nowMs: number): Partial<BulkJobDocument> {
  if (state === 'applying')
    return { state: 'applied', finished_at_ms: nowMs, sealed: null, clean_at_ms: nowMs + UNDO_MS };
  return { state: 'undone', undone_at_ms: nowMs, clean_at_ms: nowMs };
}
