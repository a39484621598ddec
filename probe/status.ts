import type { Clock } from '../kernel/clock.js';
import type { Spool } from '../node-link/spool/spool.js';
import type { NodeStatus } from '../proto/generated/picket/link/v1/NodeStatus.js';

/** Counts due, started and skipped slots, and measures how late checks start. */
export interface ScheduleStatus {
  due(slots: number): void;
  started(latenessMs: number): void;
  /** A due slot was skipped, because the previous check still ran. */
  skipped(): void;
  skippedTotal(): number;
  lastMinute(): { latenessP50Ms: number; latenessP99Ms: number; slotsDue: number; slotsRun: number };
}

const BUCKET_MS = 1_000;
const BUCKETS = 60;
/** Far more than a probe can start in one second. Checks beyond it are counted, but their lateness is not kept. */
const SAMPLES_PER_BUCKET_MAX = 2_000;

interface Bucket {
  startedAt: number;
  due: number;
  run: number;
  lateness: number[];
}

export function createScheduleStatus(clock: Clock): ScheduleStatus {
  let buckets: Bucket[] = [];
  let skipped = 0;

  function current(): Bucket {
    const startedAt = Math.floor(clock.monotonic() / BUCKET_MS) * BUCKET_MS;
    const newest = buckets.at(-1);
    if (newest?.startedAt === startedAt) return newest;
    const bucket = { startedAt, due: 0, run: 0, lateness: [] };
    buckets = [...buckets.filter((kept) => kept.startedAt > startedAt - BUCKETS * BUCKET_MS), bucket];
    return bucket;
  }

  return {
    due(slots) {
      current().due += slots;
    },
    started(latenessMs) {
      const bucket = current();
      bucket.run += 1;
      if (bucket.lateness.length < SAMPLES_PER_BUCKET_MAX) bucket.lateness.push(latenessMs);
    },
    skipped() {
      skipped += 1;
    },
    skippedTotal: () => skipped,
    lastMinute() {
      // Drops the buckets that are older than a minute.
      current();
      const sorted = Float64Array.from(buckets.flatMap((bucket) => bucket.lateness)).sort();
      const percentile = (share: number) => Math.max(0, Math.round(sorted[Math.ceil(share * sorted.length) - 1] ?? 0));
      return {
        latenessP50Ms: percentile(0.5),
        latenessP99Ms: percentile(0.99),
        slotsDue: buckets.reduce((sum, bucket) => sum + bucket.due, 0),
        slotsRun: buckets.reduce((sum, bucket) => sum + bucket.run, 0),
      };
    },
  };
}

/** Returns the status that this probe sends to the control plane every few seconds. */
export function nodeStatus(needs: {
  spool: Spool;
  status: ScheduleStatus;
  canary: { ok(): boolean; targets(): number };
  stalls: { total(): number };
  assigned(): { assignments: number; assignmentsRevision: number };
  draining: boolean;
  clock: Clock;
}): NodeStatus {
  const { spool, canary } = needs;
  const stats = spool.stats();
  const oldestAtMs = spool.oldestAtMs();
  return {
    spoolRecords: stats.records,
    spoolBytes: stats.bytes,
    spoolDroppedTotal: stats.droppedTotal,
    lagMs: oldestAtMs === null ? 0 : Math.max(0, needs.clock.now() - oldestAtMs),
    canaryOk: canary.ok(),
    canaries: canary.targets(),
    ...needs.assigned(),
    ...needs.status.lastMinute(),
    draining: needs.draining,
    stallsTotal: needs.stalls.total(),
  };
}
