import type { CertificateGrade } from '../../../proto/check-result.js';

const DAY_MS = 86_400_000;
const DAYS_LEFT_FOR_A_PLUS = 30;
const DAYS_LEFT_FOR_C = 14;
const HSTS_DAYS_FOR_A_PLUS = 180;
const RSA_BITS_MIN = 2048;
const EC_BITS_MIN = 256;

/** The properties of a handshake and its certificate. */
export interface CertificateFindings {
  /** The certificate and its chain are within their validity periods. */
  valid: boolean;
  /** The chain leads to a trusted authority. */
  trusted: boolean;
  nameMatches: boolean;
  msLeft: number;
  /** The negotiated version. A server that supports TLS 1.3 uses it with this probe. */
  protocol: string;
  /** Whether the server accepts TLS 1.0 or 1.1; null if that is unknown. */
  oldTlsAccepted: boolean | null;
  key: { type: 'rsa' | 'ec' | 'other'; bits: number };
  /** `max-age` of Strict-Transport-Security in seconds; null without it. */
  hstsSeconds: number | null;
}

/** Returns the worst grade that applies, in the order `F`, `T`, `C`, `B`, `A`, `A+`. */
export function gradeOf(findings: CertificateFindings): CertificateGrade {
  if (!findings.valid || findings.msLeft <= 0) return 'F';
  if (!findings.trusted || !findings.nameMatches) return 'T';
  if (findings.msLeft <= DAYS_LEFT_FOR_C * DAY_MS) return 'C';
  const oldTls = findings.oldTlsAccepted === true || findings.protocol === 'TLSv1' || findings.protocol === 'TLSv1.1';
  if (oldTls || isShort(findings.key)) return 'B';
  const lasting = findings.msLeft > DAYS_LEFT_FOR_A_PLUS * DAY_MS;
  const strict = findings.hstsSeconds !== null && findings.hstsSeconds >= (HSTS_DAYS_FOR_A_PLUS * DAY_MS) / 1000;
  return findings.protocol === 'TLSv1.3' && lasting && strict ? 'A+' : 'A';
}

function isShort(key: CertificateFindings['key']): boolean {
  return (key.type === 'rsa' && key.bits < RSA_BITS_MIN) || (key.type === 'ec' && key.bits < EC_BITS_MIN);
}

/** Returns `max-age` of a Strict-Transport-Security header (RFC 6797); null if it is missing or invalid. */
export function hstsSeconds(header: string | undefined): number | null {
  const digits = /(?:^|;)\s*max-age\s*=\s*"?(?<digits>\d{1,15})"?\s*(?:;|,|$)/i.exec(header ?? '')?.groups?.['digits'];
  return digits === undefined ? null : Number(digits);
}
