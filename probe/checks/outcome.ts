import type { MonitorAssignment__Output } from '../../proto/generated/picket/link/v1/MonitorAssignment.js';

/**
 * Why a check failed. The same closed list stands in `control-plane/monitors/schema.ts`; a probe imports nothing of
 * the control plane, so a test compares the two.
 */
export const CHECK_ERROR_CODES = [
  'dns_failure',
  'connection_refused',
  'connection_reset',
  'connect_timeout',
  'tls_handshake',
  'tls_untrusted',
  'tls_expired',
  'tls_name_mismatch',
  'response_timeout',
  'status_mismatch',
  'keyword_missing',
  'keyword_present',
  'too_many_redirects',
  'response_too_large',
  'blocked_target',
  'packet_loss',
  'unreachable',
  'protocol_error',
] as const;
export type CheckErrorCode = (typeof CHECK_ERROR_CODES)[number];

/** What a check needs of an assignment; an assignment itself fits. */
export type CheckRequest = Pick<MonitorAssignment__Output, 'type' | 'url' | 'timeoutMs' | 'http'>;

/** `F` expired, `T` not trusted or for another name, `C` at most 14 days left, `B` old TLS or a short key, `A`, `A+`. */
export type CertificateGrade = 'A+' | 'A' | 'B' | 'C' | 'T' | 'F';

/** The certificate of the monitored host itself (the first hop), delivered also when it made the check fail. */
export interface CheckCertificate {
  grade: CertificateGrade;
  notAfterMs: number;
  /** SHA-256 of the leaf, lower-case hex. */
  fingerprint: string;
  issuer: string;
  subject: string;
  /** As negotiated: `TLSv1.3`. */
  protocol: string;
}

/**
 * Where the time went. null: the phase did not happen (no name to resolve, no TLS) or was not finished.
 * With redirects each phase is the sum over the hops. ttfb runs from the request sent to the first byte of the
 * answer, transfer from there to the last byte read.
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
  /** The probe itself was at fault, so this says nothing about the target and is not reported. */
  inconclusive?: true;
  /**
   * http: from the start to the last byte that was read of the last answer (head and body, all hops). tcp: from the
   * start to connected. ping: the round trip of the first echo reply. Failed: from the start to the failure.
   */
  responseTimeMs: number;
  timings: PhaseTimings;
  httpStatus: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  certificate: CheckCertificate | null;
  /** The address that was really reached, of the last hop; null when none was. */
  address: string | null;
}

/** Ends a check with its error code. The message is for people: what happened, to which address, after how long. */
export class CheckFailure extends Error {
  readonly code: CheckErrorCode;
  /** The connection itself was not made: another address of the same name may still work. */
  readonly whileConnecting: boolean;

  constructor(code: CheckErrorCode, message: string, whileConnecting = false) {
    super(message);
    this.name = 'CheckFailure';
    this.code = code;
    this.whileConnecting = whileConnecting;
  }
}

/** What a running check has learnt so far; it survives a failure, so that the outcome tells how far it came. */
export interface Observed {
  timings: PhaseTimings;
  httpStatus: number | null;
  certificate: CheckCertificate | null;
  address: string | null;
  /** Set where the response time is not simply the time until the check ended. */
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

/** Adds a hop's phase to what earlier hops took. */
export function addPhase(timings: PhaseTimings, phase: keyof PhaseTimings, ms: number): void {
  timings[phase] = (timings[phase] ?? 0) + ms;
}
