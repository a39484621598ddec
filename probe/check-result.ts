import type { CheckReason } from '../proto/check-result.js';
import type { CheckResult } from '../proto/generated/picket/link/v1/CheckResult.js';
import type { CheckOutcome, PhaseTimings } from './checks/outcome.js';
import type { Assignment } from './schedule.js';

/** One attempt of a check and its outcome. */
export interface Attempt {
  assignment: Assignment;
  slotMs: number;
  /** 0 for the first attempt. */
  number: number;
  /** false: the attempt failed and is retried. */
  final: boolean;
  reason: CheckReason;
  /** A time of the control plane's clock. */
  startedMs: number;
  outcome: CheckOutcome;
}

const MESSAGE_CHARACTERS_MAX = 1_000;

/** Returns an attempt as it is stored in the spool and sent. */
export function toCheckResult(attempt: Attempt): CheckResult {
  const { assignment, outcome } = attempt;
  const { certificate, error, timings } = outcome;
  return {
    monitorId: assignment.monitorId,
    monitorVersion: assignment.version,
    slotMs: attempt.slotMs,
    attempt: attempt.number,
    final: attempt.final,
    reason: attempt.reason,
    checkedAtMs: Math.round(attempt.startedMs),
    up: outcome.up,
    responseTimeMs: outcome.responseTimeMs,
    ...toPhases(timings),
    ...(outcome.httpStatus === null ? {} : { httpStatus: outcome.httpStatus }),
    ...(error === null ? {} : { errorCode: error.code, errorMessage: error.message.slice(0, MESSAGE_CHARACTERS_MAX) }),
    ...(certificate === null
      ? {}
      : { certificate: { ...certificate, notAfterMs: Math.round(certificate.notAfterMs) } }),
    ...(outcome.address === null ? {} : { address: outcome.address }),
  };
}

/** Returns the phases that took place. The others are omitted, because 0 would mean that they took no time. */
function toPhases(timings: PhaseTimings): Partial<Record<keyof PhaseTimings, number>> {
  const phases: Partial<Record<keyof PhaseTimings, number>> = {};
  for (const phase of ['dnsMs', 'connectMs', 'tlsMs', 'ttfbMs', 'transferMs'] as const) {
    const ms = timings[phase];
    if (ms !== null) phases[phase] = ms;
  }
  return phases;
}
