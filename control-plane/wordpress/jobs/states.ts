import type { CheckId } from '../checks/catalogue.js';
import type { JobDocument, JobStatus, Reading } from '../documents.js';
import type { JobChange } from './store.js';

/** What can happen to a job. */
export type JobEvent =
  | { type: 'delivered' }
  /** The plugin says that it is done, and that the site still answers. */
  | { type: 'applied'; note: string }
  /** The plugin says that nothing was changed, or that it has changed it back. */
  | { type: 'failed' | 'rolled_back'; error: string }
  | { type: 'verified' }
  /** The look from outside contradicts the plugin. `undo`: the fix must not stay. */
  | { type: 'contradicted'; error: string; undo?: true }
  | { type: 'expired' };

const FROM: Record<JobEvent['type'], readonly JobStatus[]> = {
  delivered: ['queued', 'delivered'],
  applied: ['queued', 'delivered'],
  failed: ['queued', 'delivered'],
  rolled_back: ['queued', 'delivered'],
  verified: ['applied'],
  contradicted: ['applied'],
  expired: ['queued', 'delivered', 'applied'],
};

/** Returns what an event changes in a job; null for one that cannot happen in its state, such as a repeated result. Pure. */
export function jobAfter(job: JobDocument, event: JobEvent, nowMs: number): JobChange | null {
  if (!FROM[event.type].includes(job.status)) return null;
  switch (event.type) {
    case 'delivered':
      return job.status === 'delivered' ? null : { status: 'delivered', delivered_at_ms: nowMs };
    case 'applied':
      return { status: 'applied', applied_at_ms: nowMs, ...(event.note === '' ? {} : { note: event.note }) };
    case 'verified':
      return { status: 'verified', open: false, ended_at_ms: nowMs };
    case 'expired':
      return { status: 'expired', open: false, ended_at_ms: nowMs, error: 'The site did not finish the job in time.' };
    case 'contradicted':
      return { status: 'failed', open: false, ended_at_ms: nowMs, error: event.error };
    default:
      return { status: event.type, open: false, ended_at_ms: nowMs, error: event.error };
  }
}

/**
 * Returns the checks whose fix the plugin may be undoing right now. That they fail then is what a person wants, and known only with
 * the result of the job. `isTaken` says whether this result has just been taken. Pure.
 */
export function checksBeingUndone(
  open: readonly JobDocument[],
  isTaken: (job: JobDocument) => boolean = () => false,
): ReadonlySet<CheckId> {
  const jobs = open.filter((job) => job.kind === 'undo' && job.status === 'delivered' && !isTaken(job));
  return new Set(jobs.map(({ check }) => check));
}

/** What is known of the check of an applied job. */
interface Seen {
  inside: Reading | null;
  outside: Reading | null;
  /** Whether the fix is on the site, as the plugin says. */
  applied: boolean;
}

/**
 * Returns whether an applied job is verified: the plugin has read its effect back since, and a look from outside since then
 * does not contradict it, where it can be seen from outside. Returns null while there is no reading since. Pure.
 */
export function verdictOf(
  job: JobDocument,
  { inside, outside, applied }: Seen,
  isSeenFromOutside: boolean,
): JobEvent | null {
  const sinceMs = job.applied_at_ms ?? 0;
  if (inside === null || inside.at_ms < sinceMs) return null;
  if (isSeenFromOutside && (outside === null || outside.at_ms < sinceMs)) return null;
  if (job.kind === 'undo') {
    return applied
      ? { type: 'contradicted', error: 'The fix is on the site again after it was undone.' }
      : { type: 'verified' };
  }
  if (outside?.locksOut && applied) {
    return { type: 'contradicted', error: `Applied, but ${outside.evidence}: Picket undoes it.`, undo: true };
  }
  if (inside.status !== 'passing') return { type: 'contradicted', error: `Applied without effect: ${inside.evidence}` };
  if (outside?.status === 'failing') {
    return { type: 'contradicted', error: `Applied, but without effect from outside: ${outside.evidence}` };
  }
  return { type: 'verified' };
}
