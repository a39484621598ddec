import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createPeriodicTask } from '../../kernel/periodic-task.js';
import type { IncidentDocument } from '../incidents/documents.js';
import { type DecisionRecord, isVoteDecision } from './decision-record.js';
import { delaysByLocation, type Percentiles } from './delays-by-location.js';

/** The time from first failed check to confirmation, over the outages of the last hour that the location voted for. */
export interface DetectionDelay {
  /** null without such an outage. */
  delay(code: string): Percentiles | null;
  refresh(): Promise<void>;
  start(): void;
  stop(): Promise<void>;
}

const WINDOW_MS = 3_600_000;
const REFRESH_MS = 30_000;

/** Enough for percentiles. In an hour with more outages, the newest count. */
const OUTAGES_MAX = 5_000;

export function createDetectionDelay(needs: {
  clock: Clock;
  logger: Logger;
  store: { openedSince(sinceMs: number, limit: number): Promise<Pick<IncidentDocument, 'decision'>[]> };
}): DetectionDelay {
  let delays = new Map<string, Percentiles>();

  async function refresh(): Promise<void> {
    const outages = await needs.store.openedSince(needs.clock.now() - WINDOW_MS, OUTAGES_MAX);
    delays = delaysByLocation(
      outages.flatMap(({ decision }): DecisionRecord[] =>
        decision !== null && isVoteDecision(decision) ? [decision] : [],
      ),
    );
  }

  return {
    delay: (code) => delays.get(code) ?? null,
    refresh,
    ...createPeriodicTask({
      clock: needs.clock,
      periodMs: REFRESH_MS,
      run: refresh,
      onFailure: (error) =>
        needs.logger.warn({ err: error }, `failed to read the detection delays, retrying in ${REFRESH_MS / 1_000} s`),
    }),
  };
}
