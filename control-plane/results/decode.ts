import { CERTIFICATE_GRADES, CHECK_ERROR_CODES, CHECK_REASONS, type CheckErrorCode } from '../../proto/check-result.js';
import type { Certificate__Output } from '../../proto/generated/picket/link/v1/Certificate.js';
import type { CheckResult__Output } from '../../proto/generated/picket/link/v1/CheckResult.js';
import type { CheckResultCodec } from '../../proto/load.js';
import type { CertificateState } from '../monitors/documents.js';
import { RETRIES_MAX } from '../monitors/schema.js';
import type { ResultTimings } from './documents.js';

/**
 * Stored slots may be ahead of the clock of this control plane by this much, because another one stored them, whose clock
 * is ahead.
 */
export const FUTURE_MS_MAX = 300_000;
/**
 * A slot may be this much ahead when its result arrives. Probes follow the clock of their control plane to within a
 * second, so a result of the future is wrong, and would count for longer than it may.
 */
const SLOT_AHEAD_MS_MAX = 5_000;
/** The refusal of such a slot. */
export const SLOT_AHEAD = 'slot_ms is in the future';
/** A check takes at most 60 s, or some minutes with its retries. A longer duration means a wrong clock. */
const DURATION_MS_MAX = 600_000;
/** A check may start this much before its slot if the probe corrected its clock in between. */
const EARLY_MS_MAX = 60_000;
/** Several times the size of a record with the longest texts. */
const RECORD_BYTES_MAX = 16_384;
const MESSAGE_CHARS_MAX = 500;
const ADDRESS_CHARS_MAX = 100;
const NAME_CHARS_MAX = 500;
/** The latest time that a Date can represent. */
const DATE_MS_MAX = 8_640_000_000_000_000;
const GRADES: readonly string[] = CERTIFICATE_GRADES;
const ERROR_CODES: ReadonlySet<string> = new Set(CHECK_ERROR_CODES);
const REASONS: ReadonlySet<string> = new Set(CHECK_REASONS);
const MONITOR_ID = /^mon_[0-9a-hjkmnp-tv-z]{26}$/;
const FINGERPRINT = /^[0-9a-f]{64}$/;
const CONTROL = /\p{Cc}/gu;
const USER_INFO = /\/\/[^/?#\s"]*@/g;

/** A well-formed record. Whether its monitor exists is not known yet. */
export interface DecodedResult {
  monitorId: string;
  monitorVersion: number;
  slotMs: number;
  attempt: number;
  final: boolean;
  reason: string;
  checkedAtMs: number;
  up: boolean;
  responseTimeMs: number;
  timings: ResultTimings;
  httpStatus: number | null;
  error: { code: CheckErrorCode; message: string } | null;
  certificate: CertificateState | null;
  address: string | null;
}

/** `refused` names the wrong field, for the rejection that is sent to the probe. */
type Decoded = { result: DecodedResult } | { refused: string };

interface Receipt {
  receivedAtMs: number;
  /** The time that a probe may have: later than `receivedAtMs` after the clock of the control plane was set back. */
  latestMs: number;
}

/**
 * Decodes one record as untrusted input: every field is validated, and texts are truncated and freed of control
 * characters.
 */
export function decodeResult(codec: CheckResultCodec, bytes: Uint8Array, { receivedAtMs, latestMs }: Receipt): Decoded {
  if (bytes.length > RECORD_BYTES_MAX) return { refused: 'too large' };
  let message: CheckResult__Output;
  try {
    message = codec.decode(bytes);
  } catch {
    // The bytes are not a record. Sending them again would not help.
    return { refused: 'undecodable' };
  }
  const wrong = wrongField(message, latestMs);
  if (wrong !== null) return { refused: wrong };
  // A check cannot be made after its result arrived. A later time would outlast every real result.
  const checkedAtMs = Math.min(message.checkedAtMs, receivedAtMs);
  return {
    result: {
      monitorId: message.monitorId,
      monitorVersion: message.monitorVersion,
      slotMs: message.slotMs,
      attempt: message.attempt,
      final: message.final,
      reason: message.reason,
      checkedAtMs,
      up: message.up,
      responseTimeMs: message.responseTimeMs,
      timings: {
        dns_ms: message.dnsMs ?? null,
        connect_ms: message.connectMs ?? null,
        tls_ms: message.tlsMs ?? null,
        ttfb_ms: message.ttfbMs ?? null,
        transfer_ms: message.transferMs ?? null,
      },
      httpStatus: message.httpStatus ?? null,
      error: isErrorCode(message.errorCode)
        ? { code: message.errorCode, message: errorText(message.errorMessage) }
        : null,
      certificate: message.certificate === null ? null : certificateState(message.certificate, checkedAtMs),
      address: message.address === '' ? null : plainText(message.address, ADDRESS_CHARS_MAX),
    },
  };
}

function wrongField(message: CheckResult__Output, latestMs: number): string | null {
  if (!MONITOR_ID.test(message.monitorId)) return 'invalid monitor_id';
  if (!isCount(message.monitorVersion)) return 'invalid monitor_version';
  if (!isCount(message.slotMs)) return 'invalid slot_ms';
  if (message.slotMs > latestMs + SLOT_AHEAD_MS_MAX) return SLOT_AHEAD;
  if (!isCount(message.attempt) || message.attempt > RETRIES_MAX) return 'invalid attempt';
  if (!REASONS.has(message.reason)) return 'invalid reason';
  if (!isCount(message.checkedAtMs) || message.checkedAtMs < message.slotMs - EARLY_MS_MAX) {
    return 'invalid checked_at_ms';
  }
  if (message.up && !message.final) return 'invalid final';
  if (message.up ? message.errorCode !== '' : !isErrorCode(message.errorCode)) return 'invalid error_code';
  if (!isDuration(message.responseTimeMs)) return 'invalid response_time_ms';
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs, httpStatus } = message;
  for (const phase of [dnsMs, connectMs, tlsMs, ttfbMs, transferMs]) {
    if (phase !== undefined && !isDuration(phase)) return 'invalid timings';
  }
  if (httpStatus !== undefined && (httpStatus < 100 || httpStatus > 999)) return 'invalid http_status';
  return message.certificate === null ? null : wrongCertificate(message.certificate);
}

function wrongCertificate(certificate: Certificate__Output): string | null {
  if (!GRADES.includes(certificate.grade)) return 'invalid certificate.grade';
  if (!Number.isSafeInteger(certificate.notAfterMs)) return 'invalid certificate.not_after_ms';
  if (Math.abs(certificate.notAfterMs) > DATE_MS_MAX) return 'invalid certificate.not_after_ms';
  return FINGERPRINT.test(fingerprint(certificate)) ? null : 'invalid certificate.fingerprint';
}

/** `checked_at_ms` comes first: MongoDB compares documents field by field, so the newest one is the greatest. */
function certificateState(certificate: Certificate__Output, checkedAtMs: number): CertificateState {
  return {
    checked_at_ms: checkedAtMs,
    grade: certificate.grade as CertificateState['grade'],
    not_after_ms: certificate.notAfterMs,
    fingerprint: fingerprint(certificate),
    issuer: plainText(certificate.issuer, NAME_CHARS_MAX),
    subject: plainText(certificate.subject, NAME_CHARS_MAX),
  };
}

/** Some tools write the bytes with colons and in upper case. */
function fingerprint(certificate: Certificate__Output): string {
  return certificate.fingerprint.length > 95 ? '' : certificate.fingerprint.replaceAll(':', '').toLowerCase();
}

function isErrorCode(code: string): code is CheckErrorCode {
  return ERROR_CODES.has(code);
}

function isCount(value: number): boolean {
  return Number.isSafeInteger(value) && value >= 0;
}

function isDuration(value: number): boolean {
  return Number.isFinite(value) && value >= 0 && value <= DURATION_MS_MAX;
}

/** Masks user names and passwords: probes of earlier versions quote redirects with those of the monitor's URL. */
function errorText(text: string): string {
  return plainText(text.replace(USER_INFO, '//***@'), MESSAGE_CHARS_MAX);
}

function plainText(text: string, charsMax: number): string {
  return text.replace(CONTROL, ' ').slice(0, charsMax);
}
