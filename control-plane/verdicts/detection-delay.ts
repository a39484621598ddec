import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createRounds } from '../../kernel/rounds.js';
import { type DecisionRecord, isByVotes } from '../incidents/documents.js';
import type { IncidentStore } from '../incidents/store.js';

export interface Percentiles {
  p50_ms: number;
  p99_ms: number;
}

/** From first failed check to confirmed, over the outages of the last hour that the location voted for. */
export interface DetectionDelay {
  /** null while there was none. */
  delay(code: string): Percentiles | null;
  refresh(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const WINDOW_MS = 3_600_000;
const REFRESH_MS = 30_000;

/** Enough for percentiles; in an hour with more, the newest count. */
const OUTAGES_MAX = 5_000;

export function createDetectionDelay(deps: {
  clock: Clock;
  logger: Logger;
  store: Pick<IncidentStore, 'openedSince'>;
}): DetectionDelay {
  let delays = new Map<string, Percentiles>();

  async function refresh(): Promise<void> {
    const outages = await deps.store.openedSince(deps.clock.now() - WINDOW_MS, OUTAGES_MAX);
    delays = delaysByLocation(
      outages.flatMap(({ decision }) => (decision !== null && isByVotes(decision) ? [decision] : [])),
    );
  }

  return {
    delay: (code) => delays.get(code) ?? null,
    refresh,
    ...createRounds({
      clock: deps.clock,
      periodMs: REFRESH_MS,
      round: refresh,
      failed: (error) => deps.logger.warn({ err: error }, 'detection delays could not be read'),
    }),
  };
}

/** Pure. */
export function delaysByLocation(decisions: readonly DecisionRecord[]): Map<string, Percentiles> {
  const samples = new Map<string, number[]>();
  for (const { times, votes } of decisions) {
    if (times.first_failed_at_ms === null || times.confirmed_at_ms === null) continue;
    const delayMs = Math.max(0, times.confirmed_at_ms - times.first_failed_at_ms);
    for (const vote of votes) {
      if (vote.vote !== 'down') continue;
      const known = samples.get(vote.location);
      if (known === undefined) samples.set(vote.location, [delayMs]);
      else known.push(delayMs);
    }
  }
  return new Map([...samples].map(([location, values]) => [location, percentiles(values)]));
}

function percentiles(values: number[]): Percentiles {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (share: number) => Math.round(sorted[Math.max(0, Math.ceil(share * sorted.length) - 1)] ?? 0);
  return { p50_ms: at(0.5), p99_ms: at(0.99) };
}
