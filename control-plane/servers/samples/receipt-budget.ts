import type { BucketRate } from '../../../kernel/buckets/token-bucket.js';
import { createTokenBuckets } from '../../../kernel/buckets/token-buckets.js';
import type { Clock } from '../../../kernel/clock.js';
import type { NodeRecord } from '../../nodes/nodes.js';

/**
 * At once: a day of samples at the default of one each ten seconds. In the long run: fifty times the samples of the
 * shortest interval, so that a server with that interval delivers a day of samples within half an hour.
 */
const SAMPLES: BucketRate = { burst: 10_000, perSecond: 50 };
const BYTES: BucketRate = { burst: 16 * 1_048_576, perSecond: 65_536 };

/** Limits how many samples and bytes of a server are stored in a minute. */
export interface ReceiptBudget {
  /** Takes the records from the budget of the server. Returns how long they must wait; 0 for not at all. */
  delayMs(serverId: string, records: readonly NodeRecord[]): number;
}

export function createReceiptBudget(clock: Pick<Clock, 'monotonic'>): ReceiptBudget {
  const samples = createTokenBuckets(SAMPLES, clock);
  const bytes = createTokenBuckets(BYTES, clock);
  return {
    delayMs(serverId, records) {
      const size = records.reduce((sum, record) => sum + record.bytes.length, 0);
      return Math.max(samples.take(serverId, records.length), bytes.take(serverId, size));
    },
  };
}
