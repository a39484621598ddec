import { type Actor, hasScope } from '../actor.js';
import { AppError, notFound } from '../errors.js';
import type { Transaction } from '../storage/transaction.js';
import { count, shortName } from '../wording.js';
import type { BulkJobDocument } from './documents.js';
import { UNDO_MS } from './kept.js';
import type { BulkNeeds } from './needs.js';
import { BULK_MONITORS_MAX, type UndoBulk } from './schema.js';
import { jobActor, requireIdle } from './start.js';

const NAMED_MAX = 10;
const ERRORS_MAX = 50;

/**
 * Accepts the undo of a bulk change: from the commit on it will be completed. Throws 409 if it cannot be undone, and, with
 * `refuse`, if somebody has changed a monitor since; 402 if the plan has no room for deleted monitors.
 */
export async function startUndo(
  needs: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  { on_conflict = 'refuse' }: UndoBulk,
): Promise<BulkJobDocument> {
  const job = await needs.store.find(actor.workspaceId, id, tx);
  if (job === null) throw notFound('bulk change');
  refuseUndo(job, needs.clock.now());
  await requireIdle(needs, tx, actor.workspaceId);
  if (on_conflict === 'refuse') await refuseChanged(needs, tx, actor, job);
  if (job.operation === 'delete') await needs.monitors.holdRoom(tx, actor, job.monitors - job.skipped);
  const undo = { actor: jobActor(actor), on_conflict, requested_at_ms: needs.clock.now() };
  if (!(await needs.store.startUndo(tx, job, undo))) throw new AppError('conflict', 'It can no longer be undone.');
  await needs.audit.record(tx, actor, {
    action: 'monitor.bulk_undone',
    resource: { type: 'monitor_bulk', id, name: `${job.operation}: ${count(job.monitors, 'monitor')}` },
    metadata: { operation: job.operation, monitors: job.monitors, on_conflict },
  });
  return { ...job, state: 'undoing', open: true, done: 0, undo };
}

/** Until when a bulk change can be undone; null if it cannot. */
export function undoableUntil({ state, has_items, finished_at_ms }: BulkJobDocument, nowMs: number): number | null {
  if (state !== 'applied' || !has_items || finished_at_ms === null) return null;
  const untilMs = finished_at_ms + UNDO_MS;
  return nowMs < untilMs ? untilMs : null;
}

function refuseUndo(job: BulkJobDocument, nowMs: number): void {
  if (undoableUntil(job, nowMs) !== null) return;
  const why = {
    applying: 'It is still being applied. Undo it when it has ended.',
    applied: job.monitors === 0 ? 'It changed no monitor.' : 'It was applied more than 24 h ago.',
    undoing: 'It is being undone.',
    undone: 'It has been undone.',
  }[job.state];
  throw new AppError('conflict', why);
}

async function refuseChanged(
  { store, monitors }: BulkNeeds,
  tx: Transaction,
  actor: Actor,
  job: BulkJobDocument,
): Promise<void> {
  if (job.operation === 'delete') return;
  const applied = await store.itemsIn(job, 'applied', BULK_MONITORS_MAX, tx);
  const now = await monitors.versionsOf(
    tx,
    job.workspace_id,
    applied.map((item) => item.monitor_id),
  );
  const changed = applied.filter((item) => now.get(item.monitor_id)?.version !== item.version);
  if (changed.length === 0) return;
  if (!hasScope(actor, 'monitors:read')) {
    throw new AppError('conflict', 'Nothing was undone, because somebody has changed monitors of this change since.');
  }
  const names = changed
    .slice(0, NAMED_MAX)
    .map((item) => `"${shortName(now.get(item.monitor_id)?.name ?? item.name)}"`);
  const more = changed.length > NAMED_MAX ? ` and ${changed.length - NAMED_MAX} more` : '';
  const errors = changed.slice(0, ERRORS_MAX).map((item) => ({
    path: `/monitors/${item.monitor_id}`,
    ...(now.has(item.monitor_id)
      ? { message: 'has changed since', code: 'changed' as const }
      : { message: 'was deleted since', code: 'deleted' as const }),
  }));
  const detail = `Nothing was undone, because somebody has changed ${names.join(', ')}${more} since.`;
  throw new AppError('conflict', detail, { errors });
}
