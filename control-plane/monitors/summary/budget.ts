import type { BucketRate } from '../../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../../kernel/clock.js';
import { AppError } from '../../errors.js';

/** Rows that a workspace may have read and written for it: 30 whole lists at once, and one a second in the long run. */
export const ROWS: BucketRate = { burst: 300_000, perSecond: 10_000 };
/** A longer row counts as several: one with the longest texts has 20 times this. */
export const ROW_BYTES = 500;

/** Limits how many rows a workspace reads, because requests differ by a factor of ten thousand. */
export interface RowsBudget {
  /** Takes rows before they are read, so that requests that arrive together do not all find the budget unused. */
  take(workspaceId: string, rows: number): void;
  /** Throws 429 while more was charged than there was. */
  requireLeft(workspaceId: string): void;
  /** Charges what was read and written, beyond the rows that were taken for it. */
  charge(workspaceId: string, done: { rows: number; bytes: number; taken: number }): void;
}

export function createRowsBudget(clock: Pick<Clock, 'monotonic'>): RowsBudget {
  const buckets = createTokenBuckets(ROWS, clock);

  function refuse(waitMs: number): void {
    if (waitMs === 0) return;
    const waitS = Math.ceil(waitMs / 1_000);
    const detail = `This workspace has read too many rows of the summary. Retry in ${waitS} s.`;
    throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(waitS) } });
  }

  return {
    take: (workspaceId, rows) => refuse(buckets.tryTake(workspaceId, rows)),
    requireLeft: (workspaceId) => refuse(buckets.waitMs(workspaceId)),
    charge(workspaceId, { rows, bytes, taken }) {
      const cost = Math.max(rows, Math.ceil(bytes / ROW_BYTES));
      buckets.take(workspaceId, Math.max(0, cost - taken));
    },
  };
}
