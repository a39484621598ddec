import type { Clock } from '../../kernel/clock.js';

const MINUTE_MS = 60_000;
/**
 * A monitor with the shortest interval and the most retries has 36 attempts a minute, and each requested check adds as
 * many. A result that is sent again counts again.
 */
const RESULTS_MAX = 150;
/** Results of earlier minutes than the newest one: of slow checks, or sent again after a reconnect. */
const EARLIER_RESULTS_MAX = 1_000;
/** The number of results is kept in the last digits of one number, the minute in those before. */
const COUNT_UNIT = 10_000;
/** What is known of probes without results for this time is forgotten. */
const PRUNE_MS = 600_000;

/** The results of one probe, by monitor: the minute and the number of results in it, in one number. */
interface ProbeCounts {
  /** By the minute of the slot. */
  newest: Map<string, number>;
  /** Results of earlier slots, by the minute of their arrival. */
  earlier: Map<string, number>;
  usedMs: number;
}

/**
 * Limits the results that one probe, and so its location, stores of one monitor in a minute. A probe delivers the
 * minutes of a backlog one after another, so it may have any size.
 */
export interface ResultBudget {
  /** Returns the counts of one probe, for `take`. Call it once for each batch. */
  of(nodeId: string): ProbeCounts;
  /** Returns false when the result exceeds the limit. */
  take(counts: ProbeCounts, monitorId: string, slotMs: number): boolean;
  /** Forgets the counts of a probe whose results were not stored, because they come again. */
  forget(nodeId: string): void;
}

export function createResultBudget(clock: Pick<Clock, 'monotonic'>): ResultBudget {
  const probes = new Map<string, ProbeCounts>();
  let prunedMs = clock.monotonic();

  return {
    of(nodeId) {
      const nowMs = clock.monotonic();
      if (nowMs - prunedMs >= PRUNE_MS) {
        prunedMs = nowMs;
        for (const [id, { usedMs }] of probes) if (nowMs - usedMs >= PRUNE_MS) probes.delete(id);
      }
      const counts = probes.get(nodeId) ?? { newest: new Map(), earlier: new Map(), usedMs: nowMs };
      counts.usedMs = nowMs;
      probes.set(nodeId, counts);
      return counts;
    },
    take({ newest, earlier }, monitorId, slotMs) {
      const minute = Math.floor(slotMs / MINUTE_MS);
      const known = newest.get(monitorId);
      if (known === undefined || minute >= Math.floor(known / COUNT_UNIT)) {
        return countIn(newest, monitorId, minute, RESULTS_MAX);
      }
      return countIn(earlier, monitorId, Math.floor(clock.monotonic() / MINUTE_MS), EARLIER_RESULTS_MAX);
    },
    forget: (nodeId) => void probes.delete(nodeId),
  };
}

function countIn(counts: Map<string, number>, monitorId: string, minute: number, max: number): boolean {
  const known = counts.get(monitorId) ?? 0;
  const count = Math.floor(known / COUNT_UNIT) === minute ? known % COUNT_UNIT : 0;
  if (count >= max) return false;
  counts.set(monitorId, minute * COUNT_UNIT + count + 1);
  return true;
}
