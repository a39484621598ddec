import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import { checkServerIdentity, type TLSSocket } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import { type CheckCertificate, CheckFailure } from '../outcome.js';
import { createRecent } from '../recent.js';
import { duration, endpoint, printable, quoted } from '../words.js';
import { type CertificateFindings, gradeOf } from './certificate-grade.js';

const ENTRIES_MAX = 16_384;
const NAME_CHARACTERS_MAX = 300;
const NAMES_SHOWN_MAX = 3;
const DAY_MS = 86_400_000;

/** What a certificate says, read once and kept: reading it costs as much as the rest of a check's bookkeeping. */
interface CertificateFacts {
  fingerprint: string;
  issuer: string;
  subject: string;
  notBeforeMs: number;
  notAfterMs: number;
  key: CertificateFindings['key'];
  nameMatches: boolean;
  names: string;
  hstsSeconds: number | null;
}

/** A server's certificate as one handshake showed it. */
export interface SeenCertificate {
  fingerprint: string;
  /** Why a check has to fail for it; null when it is in order. */
  failure: CheckFailure | null;
  /** Strict-Transport-Security of this handshake's answer. Kept, so that a check cut short is graded by the last one. */
  noteHsts(seconds: number | null): void;
  certificate(oldTlsAccepted: boolean | null): CheckCertificate;
}

export interface Certificates {
  /** Judges the certificate of a finished handshake for the host that was asked for; null when there is none. */
  see(socket: TLSSocket, host: string, place: { address: string; port: number }): SeenCertificate | null;
}

export function createCertificates(options: { clock: Clock }): Certificates {
  const known = createRecent<CertificateFacts>(ENTRIES_MAX);
  return {
    see(socket, host, place) {
      const x509 = socket.getPeerX509Certificate();
      if (x509 === undefined) return null;
      const fingerprint = x509.fingerprint256.replaceAll(':', '').toLowerCase();
      const key = `${fingerprint} ${host}`;
      const facts = known.get(key) ?? readFacts(x509, fingerprint, host);
      known.set(key, facts);
      const nowMs = options.clock.now();
      // Node types this as an Error, yet it is OpenSSL's name of the problem: CERT_HAS_EXPIRED.
      const problem = socket.authorized ? null : String(socket.authorizationError);
      const period = problem === 'CERT_HAS_EXPIRED' || problem === 'CERT_NOT_YET_VALID';
      const protocol = socket.getProtocol() ?? '';
      return {
        fingerprint,
        failure: failureOf(facts, problem, nowMs, host, endpoint(place.address, place.port)),
        noteHsts(seconds) {
          facts.hstsSeconds = seconds;
        },
        certificate: (oldTlsAccepted) => ({
          grade: gradeOf({
            valid: !period,
            trusted: problem === null,
            nameMatches: facts.nameMatches,
            msLeft: facts.notAfterMs - nowMs,
            protocol,
            oldTlsAccepted,
            key: facts.key,
            hstsSeconds: facts.hstsSeconds,
          }),
          notAfterMs: facts.notAfterMs,
          fingerprint,
          issuer: facts.issuer,
          subject: facts.subject,
          protocol,
        }),
      };
    },
  };
}

function readFacts(x509: X509Certificate, fingerprint: string, host: string): CertificateFacts {
  const alternatives = x509.subjectAltName ?? x509.subject ?? '';
  const names = alternatives.split(/, |\n/).map((name) => name.replace(/^(DNS:|IP Address:|CN=)/, ''));
  return {
    fingerprint,
    issuer: oneLine(x509.issuer),
    subject: oneLine(x509.subject),
    notBeforeMs: Date.parse(x509.validFrom),
    notAfterMs: Date.parse(x509.validTo),
    key: keyOf(x509),
    nameMatches: isFor(x509, host),
    names:
      names.slice(0, NAMES_SHOWN_MAX).map(quoted).join(', ') + (names.length > NAMES_SHOWN_MAX ? ' and others' : ''),
    hstsSeconds: null,
  };
}

/** OpenSSL compares addresses: Node's own comparison knows no IPv6 address in some releases (22.23.3). */
function isFor(x509: X509Certificate, host: string): boolean {
  if (isIP(host) !== 0) return x509.checkIP(host) !== undefined;
  return checkServerIdentity(host, x509.toLegacyObject()) === undefined;
}

/** Node writes a name one part a line; `CN=a, O=b` is how people do. */
function oneLine(name: string | undefined): string {
  return printable((name ?? '').split('\n').join(', ').slice(0, NAME_CHARACTERS_MAX));
}

const CURVE_BITS: Readonly<Record<string, number>> = {
  secp192r1: 192,
  prime192v1: 192,
  secp224r1: 224,
  prime256v1: 256,
  secp256k1: 256,
  secp384r1: 384,
  secp521r1: 521,
};

function keyOf(x509: X509Certificate): CertificateFindings['key'] {
  try {
    const { asymmetricKeyType: type, asymmetricKeyDetails: details } = x509.publicKey;
    if (type === 'rsa' || type === 'rsa-pss') return { type: 'rsa', bits: details?.modulusLength ?? 0 };
    const curve = details?.namedCurve ?? '';
    // A curve not named here is an exotic one: its bits stand in its name, as in brainpoolP384r1.
    if (type === 'ec') return { type: 'ec', bits: CURVE_BITS[curve] ?? Number(/\d{3}/.exec(curve)?.[0] ?? 0) };
  } catch {
    // A key type that OpenSSL does not know cannot be measured; the chain's verification has its say already.
  }
  return { type: 'other', bits: 0 };
}

const UNTRUSTED: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is self-signed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its chain leads to an authority that is not known'],
  ['UNABLE_TO_GET_ISSUER_CERT', 'its chain is not complete'],
  ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'its chain leads to an authority that is not known'],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'its authority is not known, or the server does not send the intermediate certificate',
  ],
  ['CERT_REVOKED', 'it was revoked'],
  ['INVALID_PURPOSE', 'it is not meant for servers'],
  ['INVALID_CA', 'a certificate of its chain must not issue others'],
  ['CERT_SIGNATURE_FAILURE', 'its signature is wrong'],
]);

function failureOf(
  facts: CertificateFacts,
  problem: string | null,
  nowMs: number,
  host: string,
  where: string,
): CheckFailure | null {
  if (problem === 'CERT_HAS_EXPIRED' || problem === 'CERT_NOT_YET_VALID') {
    return new CheckFailure('tls_expired', `the certificate of ${where} ${periodProblem(facts, nowMs)}`);
  }
  if (problem !== null) {
    const why = UNTRUSTED.get(problem) ?? problem.replaceAll('_', ' ').toLowerCase();
    return new CheckFailure('tls_untrusted', `the certificate of ${where} is not trusted: ${why}`);
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
  if (nowMs > facts.notAfterMs) return `expired on ${day(facts.notAfterMs)}, ${ago(nowMs - facts.notAfterMs)} ago`;
  if (nowMs < facts.notBeforeMs)
    return `is not valid before ${day(facts.notBeforeMs)}, in ${ago(facts.notBeforeMs - nowMs)}`;
  return 'is within its period, but another certificate of its chain is not';
}

function day(epochMs: number): string {
  return new Date(epochMs).toISOString().slice(0, 10);
}

function ago(ms: number): string {
  const days = Math.floor(ms / DAY_MS);
  return days >= 1 ? `${days} ${days === 1 ? 'day' : 'days'}` : duration(ms);
}
