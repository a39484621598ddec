import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createDeadline, type Deadline } from './deadline.js';
import { duration } from './format.js';
import { CheckFailure, type CheckOutcome, type CheckRequest, nothingObserved, type Observed } from './outcome.js';
import { abortedFailure } from './target.js';
import { withoutSecrets } from './without-secrets.js';

export interface Checker {
  /**
   * Runs one check. It never rejects and always resolves at the latest half a second after the timeout. If `signal` is
   * aborted, it resolves at once with an outcome that says nothing about the target.
   */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckOutcome>;
}

/** Runs the steps of one check. Resolves if the target is up, rejects with CheckFailure if it is not. */
type CheckSteps = (request: CheckRequest, observed: Observed, deadline: Deadline) => Promise<void>;

/** A step that does not stop at the timeout may take this much longer. Steps are expected to stop in time. */
const GRACE_MS = 500;
const TIMEOUT_MS_MIN = 1;
/** Times are rounded to microseconds, which keeps them short on the wire. */
const STEPS_PER_MS = 1000;

/** An error of the probe, not of the target. */
const INTERNAL_FAILURE = new CheckFailure(
  'protocol_error',
  'the check failed inside the probe; the log of the probe says why',
);

/** Returns a Checker that keeps its time limits even if the steps do not. */
export function createBoundedChecker(needs: { steps: CheckSteps; clock: Clock; log: Logger }): Checker {
  const { steps, clock, log } = needs;

  function failureOf(error: unknown): CheckFailure | null {
    if (error === null || error instanceof CheckFailure) return error;
    // The error must neither end the probe nor cause an incident, so it is only logged.
    log.error({ err: error }, 'check failed inside the probe, its result is discarded');
    return INTERNAL_FAILURE;
  }

  return {
    run(request, signal) {
      return new Promise((resolve) => {
        const deadline = createDeadline(clock, Math.max(TIMEOUT_MS_MIN, request.timeoutMs), signal);
        const observed = nothingObserved();
        const finish = (error: unknown) => {
          deadline.close();
          const failure = failureOf(error);
          const outcome = outcomeOf(observed, deadline, failure, request);
          resolve(failure === INTERNAL_FAILURE ? { ...outcome, inconclusive: true } : outcome);
        };
        deadline.onOverrun(GRACE_MS, () => finish(overrun(request)));
        if (signal.aborted) finish(abortedFailure());
        else steps(request, observed, deadline).then(() => finish(null), finish);
      });
    },
  };
}

function overrun(request: CheckRequest): CheckFailure {
  return new CheckFailure('response_timeout', `the check did not end within ${duration(request.timeoutMs)}`);
}

function outcomeOf(
  observed: Observed,
  deadline: Deadline,
  failure: CheckFailure | null,
  request: CheckRequest,
): CheckOutcome {
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = observed.timings;
  return {
    up: failure === null,
    responseTimeMs: rounded(observed.responseTimeMs ?? deadline.elapsedMs()),
    timings: {
      dnsMs: rounded(dnsMs),
      connectMs: rounded(connectMs),
      tlsMs: rounded(tlsMs),
      ttfbMs: rounded(ttfbMs),
      transferMs: rounded(transferMs),
    },
    httpStatus: observed.httpStatus,
    error:
      failure === null ? null : { code: failure.code, message: withoutSecrets(failure.code, failure.message, request) },
    certificate: observed.certificate,
    address: observed.address,
  };
}

function rounded<Value extends number | null>(ms: Value): Value | number {
  return ms === null ? ms : Math.round(ms * STEPS_PER_MS) / STEPS_PER_MS;
}
