import type { StandingOf } from '../plans/cache.js';
import { PLANS } from '../plans/plans.js';
import type { BackupJobDocument, RunDocument } from './documents.js';
import { type BackupRunStore, RUNS_KEPT_MAX } from './runs/store.js';
import type { BackupJobStore } from './store.js';

/** A backup job in a period, for reports. Runs count in the period in which they ended. */
interface BackupFacts {
  id: string;
  name: string;
  tags: string[];
  /** From when on the runs are known: the start of the period, or later for a newer job, one with very many runs, or a short retention. */
  sinceMs: number;
  succeeded: number;
  failed: number;
  missed: number;
  /** The longest time from `sinceMs` to the end in which no run was good. */
  longestGapMs: number;
  lastGoodMs: number | null;
  /** Of the last good run that named one. */
  sizeBytes: number | null;
}

/** The period of a report; what is later than now has not happened. */
interface Period {
  fromMs: number;
  toMs: number;
  nowMs: number;
}

interface ReadBackupsNeeds {
  store: Pick<BackupJobStore, 'oldest'>;
  runs: Pick<BackupRunStore, 'between'>;
  standingOf: StandingOf;
}

/** Returns what reads the jobs of a workspace that existed in a period, at most `rowsMax`, the oldest first. */
export function createReadBackups({ store, runs, standingOf }: ReadBackupsNeeds) {
  return async (workspaceId: string, period: Period, rowsMax: number): Promise<BackupFacts[]> => {
    const { fromMs, toMs, nowMs } = period;
    const facts: BackupFacts[] = [];
    const standing = await standingOf(workspaceId);
    const keptMs = standing === null ? Number.POSITIVE_INFINITY : PLANS[standing.retentionPlan].hoursSeconds * 1_000;
    for (const job of await store.oldest(workspaceId, rowsMax)) {
      if (job.created_at_ms >= toMs) continue;
      facts.push(
        factsOf(job, await runs.between(workspaceId, job._id, fromMs, toMs), { ...period, keptFromMs: nowMs - keptMs }),
      );
    }
    return facts;
  };
}

function factsOf(
  job: BackupJobDocument,
  runs: readonly RunDocument[],
  { fromMs, toMs, nowMs, keptFromMs }: Period & { keptFromMs: number },
): BackupFacts {
  // With so many runs, earlier ones of the period may have been deleted.
  const firstMs = runs.length < RUNS_KEPT_MAX ? fromMs : (runs[0]?.at_ms ?? fromMs);
  const sinceMs = Math.max(firstMs, job.created_at_ms, keptFromMs);
  const good = runs.filter(({ status }) => status === 'succeeded');
  const count = (status: RunDocument['status']) => runs.filter((run) => run.status === status).length;
  const times = [sinceMs, ...good.map(({ at_ms }) => at_ms), Math.max(sinceMs, Math.min(toMs, nowMs))];
  return {
    id: job._id,
    name: job.name,
    tags: job.tags,
    sinceMs,
    succeeded: good.length,
    failed: count('failed'),
    missed: count('missed'),
    longestGapMs: Math.max(...times.slice(1).map((atMs, index) => atMs - (times[index] ?? atMs))),
    lastGoodMs: good.at(-1)?.at_ms ?? null,
    sizeBytes: good.findLast(({ size_bytes }) => size_bytes !== null)?.size_bytes ?? null,
  };
}
