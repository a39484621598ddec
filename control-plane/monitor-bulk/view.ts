import { isoOrNull, toIso } from '../../kernel/clock.js';
import { type Actor, hasScope } from '../actor.js';
import { boundedErrors } from '../http/input/error-limits.js';
import type { BulkException, BulkJobDocument } from './documents.js';
import type { BulkChange } from './schema.js';
import { undoableUntil } from './undo.js';

/** Returns a job as the API shows it to those who may read monitors. */
export function bulkView(job: BulkJobDocument, exceptions: readonly BulkException[], nowMs: number): BulkChange {
  return {
    id: job._id,
    operation: job.operation,
    fields: job.fields,
    tags: job.tags,
    groups: job.groups,
    state: job.state,
    total: job.monitors,
    not_found: job.not_found ?? 0,
    names: job.names ?? [],
    done: job.done,
    skipped: job.skipped,
    kept: job.kept,
    without_channels: job.without_channels ?? 0,
    exceptions: exceptions.map(({ monitor_id, name, reason, error }) => ({
      ...{ id: monitor_id, name, reason: reason ?? '' },
      errors: boundedErrors(error === undefined ? [] : [error]),
    })),
    retry_at: isoOrNull(isRetried(job) ? (job.retry_at_ms ?? null) : null),
    requested_by: job.actor.email,
    requested_at: toIso(job.requested_at_ms),
    finished_at: isoOrNull(job.finished_at_ms),
    undo_until: isoOrNull(undoableUntil(job, nowMs)),
    undone_by: job.undo?.actor.email ?? null,
    undone_at: isoOrNull(job.undone_at_ms),
  };
}

/** Its last try has failed; the time of an earlier one stays in the document. */
const isRetried = ({ open, failures }: BulkJobDocument): boolean => open === true && (failures ?? 0) > 0;

/** Returns a job that the actor has just started: without names and settings of monitors that they may not read. */
export function startedView(actor: Actor, job: BulkJobDocument, nowMs: number): BulkChange {
  const view = bulkView(job, [], nowMs);
  return hasScope(actor, 'monitors:read') ? view : { ...view, names: [], groups: [] };
}
