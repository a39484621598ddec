import type { BucketRate } from '../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../kernel/clock.js';
import { AppError } from '../errors.js';

/**
 * Points of metric history that a workspace may read. A point takes about two microseconds, so that one workspace uses
 * at most a fifth of a processor. A dashboard with 20 servers, 8 metrics and an hour of raw samples has 58,000 points.
 */
const POINTS: BucketRate = { burst: 5_000_000, perSecond: 100_000 };

/** Limits how much metric history a workspace reads, because requests differ by a factor of a million. */
export interface PointsBudget {
  /** Throws `rate_limited` while the workspace has read more than its budget. */
  admit(workspaceId: string): void;
  /** Counts points that were read. */
  charge(workspaceId: string, points: number): void;
}

export function createPointsBudget(clock: Pick<Clock, 'monotonic'>): PointsBudget {
  const buckets = createTokenBuckets(POINTS, clock);
  return {
    admit(workspaceId) {
      const waitMs = buckets.waitMs(workspaceId);
      if (waitMs === 0) return;
      const waitS = Math.ceil(waitMs / 1_000);
      const detail = `This workspace has read too many points of metrics. Retry in ${waitS} s, or request fewer metrics, a shorter time or a coarser resolution.`;
      throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(waitS) } });
    },
    charge(workspaceId, points) {
      buckets.take(workspaceId, points);
    },
  };
}
