import type { ApiProblem } from '../../../../api/client.ts';

/** A change of ten thousand monitors takes less than a minute. After this time, a person hears why nothing happens. */
const WAIT_MS_MAX = 300_000;

export interface Turn {
  /** Called each time when another change is in the way. */
  waits(): void;
  nowMs(): number;
  sleep(ms: number): Promise<void>;
}

/**
 * Makes a request that starts a bulk change. A workspace applies one at a time: while another is applied, it waits and
 * repeats the request. Nothing was changed by an attempt that was refused.
 */
export async function inTurn<Answer>(request: () => Promise<Answer>, turn: Turn): Promise<Answer> {
  const untilMs = turn.nowMs() + WAIT_MS_MAX;
  for (;;) {
    try {
      return await request();
    } catch (error) {
      if (!isBusy(error) || turn.nowMs() >= untilMs) throw error;
      turn.waits();
      await turn.sleep(error.retryAfterS * 1_000);
    }
  }
}

/** A longer wait is a limit of a day, which a person must hear of. */
const RETRY_S_MAX = 60;

/** Other conflicts do not go away by themselves, so they have no `Retry-After`. A busy control plane answers 429. */
function isBusy(error: unknown): error is ApiProblem & { retryAfterS: number } {
  if (!(error instanceof Error) || !('status' in error) || !('retryAfterS' in error)) return false;
  if (error.status !== 409 && error.status !== 429) return false;
  return typeof error.retryAfterS === 'number' && error.retryAfterS <= RETRY_S_MAX;
}
