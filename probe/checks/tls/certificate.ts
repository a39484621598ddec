import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import { createLruCache } from '../../lru-cache.js';
import { endpoint } from '../format.js';
import type { CheckCertificate, CheckFailure } from '../outcome.js';
import { type CertificateFacts, readFacts } from './certificate-facts.js';
import { certificateFailure, isPeriodProblem } from './certificate-failure.js';
import { gradeOf } from './certificate-grade.js';

const ENTRIES_MAX = 16_384;

/** The certificate of a server in one handshake. */
export interface InspectedCertificate {
  fingerprint: string;
  /** Why the check fails because of the certificate; null if it is valid. */
  failure: CheckFailure | null;
  /** Sets Strict-Transport-Security of the response. It is kept for later checks that fail before their response. */
  setHsts(seconds: number | null): void;
  /** Returns the certificate with its grade. */
  graded(oldTlsAccepted: boolean | null): CheckCertificate;
}

export interface Certificates {
  /** Evaluates the certificate of a finished handshake for the requested host. Returns null if there is none. */
  inspect(socket: TLSSocket, host: string, target: { address: string; port: number }): InspectedCertificate | null;
}

export function createCertificates(needs: { clock: Clock }): Certificates {
  const cache = createLruCache<CertificateFacts>(ENTRIES_MAX);
  return {
    inspect(socket, host, target) {
      const x509 = socket.getPeerX509Certificate();
      if (x509 === undefined) return null;
      const fingerprint = x509.fingerprint256.replaceAll(':', '').toLowerCase();
      const key = `${fingerprint} ${host}`;
      const facts = cache.get(key) ?? readFacts(x509, fingerprint, host);
      cache.set(key, facts);
      const nowMs = needs.clock.now();
      // By its type this is an Error, but it is OpenSSL's code of the problem, like CERT_HAS_EXPIRED.
      const problem = socket.authorized ? null : String(socket.authorizationError);
      const protocol = socket.getProtocol() ?? '';
      return {
        fingerprint,
        failure: certificateFailure(facts, problem, nowMs, host, endpoint(target.address, target.port)),
        setHsts(seconds) {
          facts.hstsSeconds = seconds;
        },
        graded: (oldTlsAccepted) => ({
          grade: gradeOf({
            valid: !isPeriodProblem(problem),
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
