import { isoOrNull, toIso } from '../../kernel/clock.js';
import type { BulkItemDocument, BulkJobDocument } from './documents.js';
import type { BulkChange } from './schema.js';
import { undoableUntil } from './undo.js';

/** Returns a job as the API shows it. */
export function bulkView(
  job: BulkJobDocument,
  exceptions: readonly Pick<BulkItemDocument, 'monitor_id' | 'name' | 'reason'>[],
  nowMs: number,
): BulkChange {
  return {
    id: job._id,
    operation: job.operation,
    fields: job.fields,
    tags: job.tags,
    groups: job.groups,
    state: job.state,
    total: job.monitors,
    done: job.done,
    skipped: job.skipped,
    kept: job.kept,
    exceptions: exceptions.map(({ monitor_id, name, reason }) => ({ id: monitor_id, name, reason: reason ?? '' })),
    requested_by: job.actor.email,
    requested_at: toIso(job.requested_at_ms),
    finished_at: isoOrNull(job.finished_at_ms),
    undo_until: isoOrNull(undoableUntil(job, nowMs)),
    undone_by: job.undo?.actor.email ?? null,
    undone_at: isoOrNull(job.undone_at_ms),
  };
}
