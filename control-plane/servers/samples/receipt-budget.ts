import type { Clock } from '../../../kernel/clock.js';
import {
  type BucketRate,
  isFull,
  type TokenBucket,
  takeTokens,
  untilPositiveMs,
} from '../../../kernel/token-bucket.js';
import type { NodeRecord } from '../../nodes/nodes.js';

/**
 * At once: a day of samples at the default of one each ten seconds. In the long run: fifty times the samples of the
 * shortest interval, so that a server with that interval delivers a day of samples within half an hour.
 */
const SAMPLES: BucketRate = { burst: 10_000, perSecond: 50 };
const BYTES: BucketRate = { burst: 16 * 1_048_576, perSecond: 65_536 };
/** Servers that have used nothing for this time have their whole budget again. */
const PRUNE_MS = 600_000;

/** Limits how many samples and bytes of a server are stored in a minute. */
export interface ReceiptBudget {
  /** Takes the records from the budget of the server. Returns how long they must wait; 0 for not at all. */
  delayMs(serverId: string, records: readonly NodeRecord[]): number;
}

export function createReceiptBudget(clock: Pick<Clock, 'monotonic'>): ReceiptBudget {
  const servers = new Map<string, { samples: TokenBucket; bytes: TokenBucket }>();
  let prunedMs = clock.monotonic();

  function prune(nowMs: number): void {
    if (nowMs - prunedMs < PRUNE_MS) return;
    prunedMs = nowMs;
    for (const [serverId, { samples, bytes }] of servers) {
      if (isFull(samples, SAMPLES, nowMs) && isFull(bytes, BYTES, nowMs)) servers.delete(serverId);
    }
  }

  return {
    delayMs(serverId, records) {
      const nowMs = clock.monotonic();
      prune(nowMs);
      const known = servers.get(serverId) ?? null;
      const size = records.reduce((sum, record) => sum + record.bytes.length, 0);
      const samples = takeTokens(known?.samples ?? null, SAMPLES, records.length, nowMs);
      const bytes = takeTokens(known?.bytes ?? null, BYTES, size, nowMs);
      servers.set(serverId, { samples, bytes });
      return Math.max(untilPositiveMs(samples, SAMPLES, nowMs), untilPositiveMs(bytes, BYTES, nowMs));
    },
  };
}
