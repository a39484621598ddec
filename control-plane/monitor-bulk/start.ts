import { type Actor, hasScope } from '../actor.js';
import { AppError } from '../errors.js';
import type { MonitorOperation } from '../monitors/monitors.js';
import type { Transaction } from '../storage/transaction.js';
import { count, shortName } from '../wording.js';
import type { BulkItemDocument, BulkJobDocument, JobActor } from './documents.js';
import { compareFingerprint } from './fingerprint.js';
import { requireChangeToday, requireRoomForImages, UNDO_MS } from './kept.js';
import type { BulkNeeds } from './needs.js';
import { type BulkPlan, refuseRefused } from './plan.js';
import type { BulkOrder } from './request.js';
import { BULK_FIRST_NAMED_MAX, type BulkRequest } from './schema.js';
import { itemId } from './store.js';

const DAY_MS = 86_400_000;
/** How long the list shows a bulk change. */
const JOB_KEPT_MS = 30 * DAY_MS;
/** Items are deleted when the time for undoing is over. The database deletes those that nobody could delete. */
const ITEM_KEPT_MS = 31 * DAY_MS;
/** Up to this many monitors are checked at once after a change; more wait for their slot in the schedule. */
export const CHECKED_AT_ONCE_MAX = 100;
/** The same for new monitors, whose first answers somebody waits for: a list of the dashboard has no more. */
const ADDED_CHECKED_AT_ONCE_MAX = 500;
const NAMED_MAX = 10;

/** What a job's sealed operation is for. */
const sealedFor = (id: string) => ({ purpose: 'monitor_bulk', id });

/**
 * Accepts a bulk change: from the commit of this transaction on it will be completed, whatever is killed. New monitors are
 * created in the same transaction. Throws if the plan has refusals, or is not what `fingerprint` is of.
 */
export async function startBulk(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  order: BulkOrder,
  plan: BulkPlan,
  fingerprint: string | null,
): Promise<BulkJobDocument> {
  if (fingerprint !== null) requireFingerprint(actor, plan, fingerprint);
  refuseRefused(actor, plan);
  await requireIdle(needs, tx, actor.workspaceId);
  await requireChangeToday(needs, tx, actor.workspaceId);
  await requireRoomForImages(needs, tx, actor.workspaceId, plan.images);
  const job = newJob(needs, actor, await detaching(needs, tx, actor, order, plan), plan);
  const items = order.type === 'add' ? await addMonitors(needs, tx, actor, job, plan) : itemsOf(job, plan);
  await needs.store.insert(tx, job, items);
  // As after a single change that changes nothing.
  if (job.monitors === 0) return job;
  await needs.audit.record(tx, actor, {
    action: 'monitor.bulk_changed',
    resource: { type: 'monitor_bulk', id: job._id, name: `${job.operation}: ${count(job.monitors, 'monitor')}` },
    metadata: { operation: job.operation, monitors: job.monitors, fields: job.fields, tags: job.tags },
  });
  return job;
}

/**
 * Throws 409 if something names a monitor that is deleted, and the request does not say to remove it from there. Returns the order as
 * the job applies it: whoever may not change all that can name a monitor does not change what names one from now on.
 */
async function detaching(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  order: BulkOrder,
  { changed }: BulkPlan,
): Promise<BulkOrder> {
  if (order.type === 'add' || order.operation.type !== 'delete') return order;
  const ids = changed.flatMap(({ monitor }) => monitor?._id ?? []);
  const detach = await monitors.requireUnused(tx, actor, ids, order.operation.detach === true);
  return { ...order, operation: { type: 'delete', detach } };
}

/** Throws 409 while a job of the workspace has parts left. */
export async function requireIdle({ store }: BulkNeeds, tx: Transaction, workspaceId: string): Promise<void> {
  if (!(await store.isBusy(tx, workspaceId))) return;
  throw new AppError('conflict', 'Another bulk change of this workspace is being applied. Wait until it has ended.', {
    headers: { 'Retry-After': '2' },
  });
}

function requireFingerprint(actor: Actor, { operation, selected }: BulkPlan, fingerprint: string): void {
  const compared = compareFingerprint(fingerprint, operation, selected);
  if (compared === 'same') return;
  if (compared === 'other_request') {
    throw new AppError('precondition_failed', 'The fingerprint is of another operation. Repeat the dry run.');
  }
  if (!hasScope(actor, 'monitors:read')) {
    throw new AppError('precondition_failed', 'Nothing was changed, because monitors have changed since the dry run.');
  }
  const { changed, before } = compared;
  const gone = before - (selected.length - changed.length);
  const names = changed.slice(0, NAMED_MAX).map(({ name }) => `"${shortName(name)}"`);
  const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
  const which =
    changed.length > 0
      ? `${names.join(', ')}${more} changed`
      : `${count(gone, 'monitor')} ${gone === 1 ? 'is' : 'are'} no longer selected`;
  const errors = changed.map(({ _id }) => ({
    path: `/monitors/${_id}`,
    message: 'has changed since the dry run',
    code: 'changed' as const,
  }));
  throw new AppError('precondition_failed', `Nothing was changed, because since the dry run ${which}. Repeat it.`, {
    errors: errors.slice(0, ERRORS_MAX),
  });
}

const ERRORS_MAX = 50;

/** Returns what a job stores of its actor. */
export function jobActor({ kind, userId, email, ip, role, requestId, key }: Actor): JobActor {
  return { kind, userId, email, ip, role, requestId, key: key === null ? null : { id: key.id, name: key.name } };
}

function newJob({ ids, box, clock }: BulkNeeds, actor: Actor, order: BulkOrder, plan: BulkPlan): BulkJobDocument {
  const id = ids.next('blk');
  const nowMs = clock.now();
  const monitors = plan.changed.length;
  const isDone = order.type === 'add' || monitors === 0;
  return {
    _id: id,
    workspace_id: actor.workspaceId,
    ...shownOrder(order),
    groups: plan.groups,
    names: plan.changed.slice(0, BULK_FIRST_NAMED_MAX).map(({ name }) => name),
    sealed: order.type === 'add' || isDone ? null : box.seal(JSON.stringify(order.operation), sealedFor(id)),
    ...(isDone ? { state: 'applied' } : { state: 'applying', open: true }),
    ...{ monitors, not_found: plan.notFound, done: isDone ? monitors : 0, skipped: 0, kept: 0 },
    actor: jobActor(actor),
    requested_at_ms: nowMs,
    finished_at_ms: isDone ? nowMs : null,
    ...{ undo: null, undone_at_ms: null, has_items: monitors > 0 },
    ...{ image_bytes: plan.images.bytes, secret_image_bytes: plan.images.secretBytes },
    clean_at_ms: isDone ? nowMs + UNDO_MS : null,
    expires_at: new Date(nowMs + JOB_KEPT_MS),
  };
}

function shownOrder(order: BulkOrder): { operation: BulkRequest['operation']; fields: string[]; tags: string[] } {
  if (order.type === 'add') return { operation: 'add', fields: [], tags: [] };
  const { operation } = order;
  return {
    operation: operation.type,
    fields: operation.type === 'set' ? Object.keys(operation.fields) : [],
    tags: 'tags' in operation ? [...operation.tags] : [],
  };
}

function itemsOf(job: BulkJobDocument, { changed }: BulkPlan): BulkItemDocument[] {
  return changed.map(({ monitor, name }, place) => ({
    ...newItem(job, place, { id: monitor?._id ?? '', name }),
    ...{ state: 'pending', image: null, version: null },
  }));
}

async function addMonitors(
  { monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  job: BulkJobDocument,
  { added }: BulkPlan,
): Promise<BulkItemDocument[]> {
  const created = await monitors.create(
    tx,
    { ...actor, bulkId: job._id },
    added.map((settings) => ({ settings, pausedAtMs: null })),
  );
  await monitors.announce(tx, created, created.length <= ADDED_CHECKED_AT_ONCE_MAX ? 'manual' : null);
  return created.map(({ _id: id, name, version }, place) => ({
    ...newItem(job, place, { id, name }),
    ...{ state: 'applied', image: { of: 'created' }, version },
  }));
}

function newItem(job: BulkJobDocument, place: number, { id, name }: { id: string; name: string }) {
  return {
    _id: itemId(job._id, place),
    workspace_id: job.workspace_id,
    monitor_id: id,
    name,
    reason: null,
    expires_at: new Date(job.requested_at_ms + ITEM_KEPT_MS),
  };
}

/** The operation of a job whose parts are not all written. */
export function operationOf({ box }: Pick<BulkNeeds, 'box'>, { _id, sealed }: BulkJobDocument): MonitorOperation {
  if (sealed === null) throw new Error(`the bulk change ${_id} has no operation any more`);
  return JSON.parse(box.open(sealed, sealedFor(_id)));
}
