import { duration, quoted } from '../format.js';
import { CheckFailure } from '../outcome.js';
import type { CertificateFacts } from './certificate-facts.js';

const DAY_MS = 86_400_000;

/** The reasons why OpenSSL does not trust a certificate, to follow "… is not trusted:". */
const UNTRUSTED: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its chain leads to an unknown authority'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its chain is incomplete'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its chain leads to an unknown authority'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its authority is unknown, or the server does not send the intermediate certificate',
  ],
  ['CERT_REVOKED', 'it is revoked'],
  ['INVALID_PURPOSE', 'it is not issued for servers'],
  ['INVALID_CA', 'a certificate of its chain is not allowed to issue certificates'],
  ['CERT_SIGNATURE_FAILURE', 'its signature is wrong'],
]);

/** Returns whether OpenSSL's code means that a certificate of the chain has expired or is not valid yet. */
export function isPeriodProblem(problem: string | null): boolean {
  return problem === 'CERT_HAS_EXPIRED' || problem === 'CERT_NOT_YET_VALID';
}

/**
 * Returns why a check fails because of the certificate; null if it is valid for the host. `problem` is OpenSSL's code,
 * like `CERT_HAS_EXPIRED`, or null.
 */
export function certificateFailure(
  facts: CertificateFacts,
  problem: string | null,
  nowMs: number,
  host: string,
  where: string,
): CheckFailure | null {
  if (isPeriodProblem(problem)) {
    return new CheckFailure('tls_expired', `the certificate of ${where} ${periodProblem(facts, nowMs)}`);
  }
  if (problem !== null) {
    const reason = UNTRUSTED.get(problem) ?? problem.replaceAll('_', ' ').toLowerCase();
    return new CheckFailure('tls_untrusted', `the certificate of ${where} is not trusted: ${reason}`);
  }
  if (!facts.nameMatches) {
    return new CheckFailure(
      'tls_name_mismatch',
      `the certificate of ${where} is for ${facts.names}, not for ${quoted(host)}`,
    );
  }
  return null;
}

function periodProblem(facts: CertificateFacts, nowMs: number): string {
  if (nowMs > facts.notAfterMs) return `expired on ${day(facts.notAfterMs)}, ${days(nowMs - facts.notAfterMs)} ago`;
  if (nowMs < facts.notBeforeMs)
    return `is not valid before ${day(facts.notBeforeMs)}, in ${days(facts.notBeforeMs - nowMs)}`;
  return 'is within its validity period, but another certificate of its chain is not';
}

function day(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

function days(ms: number): string {
  const count = Math.floor(ms / DAY_MS);
  return count >= 1 ? `${count} ${count === 1 ? 'day' : 'days'}` : duration(ms);
}
