import { count } from '../../wording.js';
import { type Judged, passed } from './finding.js';
import type { MeasuredTls } from './measured.js';

const DAY_MS = 86_400_000;
/** Automatic renewals happen 30 days before the end. With fewer than 14 days left, one has failed. */
const DAYS_LEFT_MIN = 14;
const RSA_BITS_MIN = 2_048;
const EC_BITS_MIN = 256;

/** Returns the findings on the certificate of a website. Pure. */
export function judgeCertificate(tls: MeasuredTls, nowMs: number): Judged[] {
  return [...judgeChain(tls, nowMs), judgeDays(tls, nowMs), ...judgeKey(tls)];
}

/** The end of the certificate itself is a finding of its own. CERT_HAS_EXPIRED can also be about an intermediate one. */
function judgeChain({ problem, nameMatches, issuer, notAfterMs }: MeasuredTls, nowMs: number): Judged[] {
  const hasExpired = notAfterMs <= nowMs;
  if (problem !== null && !(problem === 'CERT_HAS_EXPIRED' && hasExpired)) {
    return [
      {
        code: 'certificate_untrusted',
        severity: 'critical',
        evidence: `${problem}; issuer ${issuer}`,
        message: 'Browsers do not trust the certificate of the website.',
        next_step: 'Install a certificate of a public authority, with its intermediate certificates.',
      },
    ];
  }
  if (!nameMatches) {
    return [
      {
        code: 'certificate_name',
        severity: 'critical',
        evidence: null,
        message: 'The certificate is for another name than that of the website.',
        next_step: 'Install a certificate that contains the name of the website.',
      },
    ];
  }
  return hasExpired ? [] : [passed('certificate_trusted', 'Browsers trust the certificate.', `issuer ${issuer}`)];
}

function judgeDays({ notAfterMs }: MeasuredTls, nowMs: number): Judged {
  const days = Math.floor((notAfterMs - nowMs) / DAY_MS);
  const evidence = `valid until ${new Date(notAfterMs).toISOString().slice(0, 10)}`;
  const next_step = 'Renew the certificate, and find out why its automatic renewal did not.';
  if (days < 0) {
    return {
      code: 'certificate_expired',
      severity: 'critical',
      message: 'The certificate has expired.',
      next_step,
      evidence,
    };
  }
  if (days >= DAYS_LEFT_MIN)
    return passed('certificate_days', `The certificate is valid for another ${count(days, 'day')}.`, evidence);
  const message = `The certificate ends in ${count(days, 'day')}.`;
  return { code: 'certificate_ends', severity: 'high', message, next_step, evidence };
}

function judgeKey({ keyType, keyBits }: MeasuredTls): Judged[] {
  const isShort = (keyType === 'rsa' && keyBits < RSA_BITS_MIN) || (keyType === 'ec' && keyBits < EC_BITS_MIN);
  if (!isShort) return [];
  return [
    {
      code: 'certificate_key_short',
      severity: 'high',
      evidence: `${keyType} key of ${keyBits} bits`,
      message: 'The key of the certificate is too short.',
      next_step: 'Use an RSA key of 2048 bits or an elliptic curve key of 256 bits, and renew the certificate.',
    },
  ];
}
