import type { CheckId } from '../checks/catalogue.js';
import type { JobDocument, JobStatus, Reading } from '../documents.js';
import type { JobChange } from './store.js';

/** What can happen to a job. */
export type JobEvent =
  | { type: 'delivered' }
  /** The plugin says that it is done, and that the site still answers. The latter is not known of one that was done early. */
  | { type: 'applied'; note: string; beforePlugins?: boolean }
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
      return {
        ...{ status: 'applied', applied_at_ms: nowMs },
        ...(event.note === '' ? {} : { note: event.note }),
        ...(event.beforePlugins === true ? { before_plugins: true } : {}),
      };
    case 'verified':
      return { status: 'verified', open: false, ended_at_ms: nowMs };
    case 'expired':
      return { status: 'expired', open: false, ended_at_ms: nowMs, error: whyExpired(job) };
    case 'contradicted':
      return { status: 'failed', open: false, ended_at_ms: nowMs, error: event.error };
    default:
      return { status: event.type, open: false, ended_at_ms: nowMs, error: event.error };
  }
}

function whyExpired({ applied_at_ms }: JobDocument): string {
  return applied_at_ms === null
    ? 'The site did not finish the job in time.'
    : 'The site did the job, but that could not be verified in time.';
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
  /** The home page from outside; null before the first look. */
  home: Reading | null;
}

/** PHP may go on using what it has compiled of a file for some seconds. */
const SETTLED_MS = 10_000;

/**
 * Returns whether an applied job is verified: the plugin has read its effect back since, and a look from outside since then
 * does not contradict it, where it can be seen from outside. Returns null while there is no reading since. Pure.
 */
export function verdictOf(
  job: JobDocument,
  { inside, outside, applied, home }: Seen,
  isSeenFromOutside: boolean,
): JobEvent | null {
  const sinceMs = job.applied_at_ms ?? 0;
  if (inside === null || inside.at_ms < sinceMs) return null;
  if (isSeenFromOutside && (outside === null || outside.at_ms < sinceMs)) return null;
  if (job.kind === 'undo') {
    if (applied) return { type: 'contradicted', error: 'The fix is on the site again after it was undone.' };
    return job.before_plugins === true ? verdictOfHome(home, sinceMs) : { type: 'verified' };
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

/**
 * Returns whether the site is back after its fix was undone before plugins and theme were loaded. The plugin cannot say so, because
 * it may still not be loaded.
 */
function verdictOfHome(home: Reading | null, sinceMs: number): JobEvent | null {
  if (home === null || home.at_ms < sinceMs) return null;
  if (home.status === 'passing') return { type: 'verified' };
  if (home.status === 'unknown' || home.at_ms < sinceMs + SETTLED_MS) return null;
  return { type: 'contradicted', error: `The fix was undone, but something else breaks the site: ${home.evidence}` };
}
