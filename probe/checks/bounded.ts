import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createDeadline, type Deadline } from './deadline.js';
import { CheckFailure, type CheckOutcome, type CheckRequest, nothingObserved, type Observed } from './outcome.js';
import { cutOff } from './target.js';
import { duration } from './words.js';

export interface Checker {
  /**
   * Runs one check. Never rejects, and resolves at the latest half a second after the timeout whatever the target
   * does. When `signal` is aborted it resolves at once, with an outcome that says nothing about the target.
   */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckOutcome>;
}

/** The steps of one check: resolves when the target is up, rejects with CheckFailure when it is not. */
export type CheckSteps = (request: CheckRequest, observed: Observed, deadline: Deadline) => Promise<void>;

/** What a check may take beyond its timeout when one of its steps does not hear the bell. It is not expected to. */
const GRACE_MS = 500;
const TIMEOUT_MS_MIN = 1;
/** Enough for microseconds, and short on the wire. */
const DECIMALS = 1000;

/** A fault of ours, not of the target. */
const OWN_FAULT = new CheckFailure('protocol_error', 'the check broke off inside the probe, which has logged why');

/** Keeps checks to what Checker promises, whatever becomes of their steps. */
export function createBoundedChecker(options: { steps: CheckSteps; clock: Clock; log: Logger }): Checker {
  const { steps, clock, log } = options;

  function failureOf(error: unknown): CheckFailure | null {
    if (error === null || error instanceof CheckFailure) return error;
    // It must not end the probe, must not page anybody, and must not go unseen either.
    log.error({ err: error }, 'a check broke off inside the probe and is not reported');
    return OWN_FAULT;
  }

  return {
    run(request, signal) {
      return new Promise((resolve) => {
        const deadline = createDeadline(clock, Math.max(TIMEOUT_MS_MIN, request.timeoutMs), signal);
        const observed = nothingObserved();
        const finish = (error: unknown) => {
          deadline.close();
          const failure = failureOf(error);
          const outcome = outcomeOf(observed, deadline, failure);
          resolve(failure === OWN_FAULT ? { ...outcome, inconclusive: true } : outcome);
        };
        deadline.onOverrun(GRACE_MS, () => finish(overrun(request)));
        if (signal.aborted) finish(cutOff());
        else steps(request, observed, deadline).then(() => finish(null), finish);
      });
    },
  };
}

function overrun(request: CheckRequest): CheckFailure {
  return new CheckFailure('response_timeout', `the check did not end within ${duration(request.timeoutMs)}`);
}

function outcomeOf(observed: Observed, deadline: Deadline, failure: CheckFailure | null): CheckOutcome {
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
    error: failure === null ? null : { code: failure.code, message: failure.message },
    certificate: observed.certificate,
    address: observed.address,
  };
}

function rounded<Value extends number | null>(ms: Value): Value | number {
  return ms === null ? ms : Math.round(ms * DECIMALS) / DECIMALS;
}
