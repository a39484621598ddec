import type { CertificateGrade, CheckErrorCode } from '../../proto/check-result.js';
import type { MonitorAssignment__Output } from '../../proto/generated/picket/link/v1/MonitorAssignment.js';

/** The fields of an assignment that a check needs. */
export type CheckRequest = Pick<MonitorAssignment__Output, 'type' | 'url' | 'timeoutMs' | 'http'>;

/** The certificate of the monitored host (the first hop). It is delivered even if the check failed because of it. */
export interface CheckCertificate {
  grade: CertificateGrade;
  notAfterMs: number;
  /** The SHA-256 of the leaf certificate in lower-case hex. */
  fingerprint: string;
  issuer: string;
  subject: string;
  /** The negotiated version, like `TLSv1.3`. */
  protocol: string;
}

/**
 * The duration of each phase; null if it did not take place (no name to resolve, no TLS) or did not finish. With
 * redirects each phase is the sum over all hops. ttfb ends with the first byte of the response and starts when the
 * request is sent; transfer ends with the last byte that was read.
 */
export interface PhaseTimings {
  dnsMs: number | null;
  connectMs: number | null;
  tlsMs: number | null;
  ttfbMs: number | null;
  transferMs: number | null;
}

export interface CheckOutcome {
  up: boolean;
  /** The check failed inside the probe. The outcome says nothing about the target and is not delivered. */
  inconclusive?: true;
  /** How long runs of this check took that were void because the probe was stalled. The last run began after them. */
  voidMs?: number;
  /**
   * http: from the start to the last byte that was read of the last response, including all hops. tcp: from the start
   * to the connection. ping: the round trip of the first echo reply. Failed checks: from the start to the failure.
   */
  responseTimeMs: number;
  timings: PhaseTimings;
  httpStatus: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  certificate: CheckCertificate | null;
  /** The address that the last hop connected to; null if none accepted a connection. */
  address: string | null;
}

/** The failure of a check. The message says what happened, at which address and after what time. */
export class CheckFailure extends Error {
  readonly code: CheckErrorCode;
  /** The connection was not established, so another address of the same name may still work. */
  readonly whileConnecting: boolean;

  constructor(code: CheckErrorCode, message: string, whileConnecting = false) {
    super(message);
    this.name = 'CheckFailure';
    this.code = code;
    this.whileConnecting = whileConnecting;
  }
}

/** The findings of a running check. They are kept after a failure, so that the outcome shows how far the check got. */
export interface Observed {
  timings: PhaseTimings;
  httpStatus: number | null;
  certificate: CheckCertificate | null;
  address: string | null;
  /** Set if the response time is not the time from the start to the end of the check. */
  responseTimeMs: number | null;
}

export function nothingObserved(): Observed {
  return {
    timings: { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null, transferMs: null },
    httpStatus: null,
    certificate: null,
    address: null,
    responseTimeMs: null,
  };
}

/** Adds the time of a phase to that of the previous hops. */
export function addPhase(timings: PhaseTimings, phase: keyof PhaseTimings, ms: number): void {
  timings[phase] = (timings[phase] ?? 0) + ms;
}
