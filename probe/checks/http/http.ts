import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/target-guard.js';
import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Resolver } from '../../resolve.js';
import { connectAny } from '../connect-any.js';
import type { Deadline } from '../deadline.js';
import { CheckFailure, type Observed } from '../outcome.js';
import type { Certificates, SeenCertificate } from '../tls/certificate.js';
import { hstsSeconds } from '../tls/certificate-grade.js';
import type { TlsContexts } from '../tls/contexts.js';
import type { OldTls } from '../tls/old-tls.js';
import { duration, quoted } from '../words.js';
import type { BodyUse, HttpAnswer } from './answer.js';
import { BODY_BYTES_MAX, decompressed, holds } from './body-text.js';
import { exchange } from './exchange.js';
import { protocolError, type ResponseHead } from './head.js';
import { REDIRECTS_MAX, redirectedHop } from './redirect.js';
import { firstHop, type HopRequest, requestBytes } from './request.js';

export interface HttpCheckDeps {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  certificates: Certificates;
  oldTls: OldTls;
  tlsContexts: TlsContexts;
  userAgent: string;
}

const DEFAULT_STATUS = 200;

/** What the first hop showed of its certificate; the grade waits for the header that belongs to it. */
interface FirstHandshake {
  seen: SeenCertificate;
  host: string;
  address: string;
  port: number;
}

/** Runs an http check to its end: returns when the target is up, throws CheckFailure when it is not. */
export async function checkHttp(
  deps: HttpCheckDeps,
  url: URL,
  options: HttpOptions__Output,
  observed: Observed,
  deadline: Deadline,
): Promise<void> {
  let hop = firstHop(url, options);
  let handshake: FirstHandshake | null = null;
  let firstHead: ResponseHead | null = null;
  try {
    for (let redirects = 0; ; redirects++) {
      const answer = await askHop(deps, hop, options, observed, deadline, {
        secured(seen) {
          if (redirects === 0) handshake = seen;
        },
        head(head) {
          if (redirects === 0) firstHead = head;
        },
      });
      const next = nextHop(hop, answer.head, options);
      if (next === null) return await judge(answer, options, deadline);
      if (redirects === REDIRECTS_MAX) {
        throw new CheckFailure(
          'too_many_redirects',
          `more than ${REDIRECTS_MAX} redirects, the last one to ${quoted(next.url.href)}`,
        );
      }
      hop = next;
    }
  } catch (error) {
    // A failure is timed where it happened; the grading below is not part of it.
    observed.responseTimeMs ??= deadline.elapsedMs();
    throw error;
  } finally {
    // Also when the check failed, above all when it failed because of the certificate.
    if (handshake !== null) observed.certificate = await graded(deps, handshake, firstHead, deadline);
  }
}

async function graded(deps: HttpCheckDeps, first: FirstHandshake, head: ResponseHead | null, deadline: Deadline) {
  if (head !== null) first.seen.noteHsts(hstsSeconds(head.headers.get('strict-transport-security')));
  const grade = first.seen.certificate(null);
  // Old TLS only tells a B from an A; a worse mark stands without another handshake.
  if (grade.grade !== 'A' && grade.grade !== 'A+') return grade;
  const { host, address, port } = first;
  const accepted = await deps.oldTls.accepted(
    { fingerprint: first.seen.fingerprint, host, address, port },
    deadline.remainingMs(),
  );
  return first.seen.certificate(accepted);
}

/** The hop that a redirect leads to; null when this answer is the one to judge. A wanted status is never followed. */
function nextHop(hop: HopRequest, head: ResponseHead, options: HttpOptions__Output): HopRequest | null {
  if (!options.followRedirects || head.status === expectedStatus(options)) return null;
  return redirectedHop(hop, head);
}

interface HopEvents {
  secured(first: FirstHandshake): void;
  head(head: ResponseHead): void;
}

/** Sends one hop's request to the first of its addresses that can be connected to. */
async function askHop(
  deps: HttpCheckDeps,
  hop: HopRequest,
  options: HttpOptions__Output,
  observed: Observed,
  deadline: Deadline,
  events: HopEvents,
): Promise<HttpAnswer> {
  // What an earlier hop took is not what a failure of this one takes.
  observed.responseTimeMs = null;
  const bytes = requestBytes(hop, deps.userAgent);
  const isTls = hop.url.protocol === 'https:';
  const host = hop.url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = hop.url.port === '' ? (isTls ? 443 : 80) : Number(hop.url.port);
  const tls = isTls ? { context: deps.tlsContexts.checking, servername: isIP(host) === 0 ? host : null } : null;
  return connectAny(deps, { host, port }, observed, deadline, (target) => {
    const secured = (socket: TLSSocket) => {
      const seen = deps.certificates.see(socket, host, target);
      if (seen !== null) events.secured({ seen, host, address: target.address, port });
      return options.ignoreTlsErrors ? null : seen === null ? noCertificate() : seen.failure;
    };
    const bodyUse = (head: ResponseHead) => {
      events.head(head);
      return bodyUseOf(hop, head, options);
    };
    const request = { target, tls, bytes, method: hop.method, secured, bodyUse };
    return exchange(request, observed, deadline, deps.clock);
  });
}

function noCertificate(): CheckFailure {
  return new CheckFailure('tls_untrusted', 'the server showed no certificate');
}

/** Only a body that decides something is kept; after a redirect or a wrong status none is even read. */
function bodyUseOf(hop: HopRequest, head: ResponseHead, options: HttpOptions__Output): BodyUse {
  if (head.status !== expectedStatus(options) || nextHop(hop, head, options) !== null) return 'skip';
  return options.keyword === undefined && options.keywordAbsent === undefined ? 'discard' : 'keep';
}

function expectedStatus(options: HttpOptions__Output): number {
  return options.expectedStatus === 0 ? DEFAULT_STATUS : options.expectedStatus;
}

/** Status, then keywords. */
async function judge(answer: HttpAnswer, options: HttpOptions__Output, deadline: Deadline): Promise<void> {
  const { head } = answer;
  if (head.status !== expectedStatus(options)) {
    throw new CheckFailure('status_mismatch', `expected status ${expectedStatus(options)}, got ${head.status}`);
  }
  const { keyword, keywordAbsent } = options;
  if (keyword === undefined && keywordAbsent === undefined) return;
  const text = await deadline.race(
    decompressed({ bytes: answer.body, cut: answer.cut }, head),
    () =>
      new CheckFailure('response_timeout', `the body could not be decompressed within ${duration(deadline.timeoutMs)}`),
  );
  if (keywordAbsent !== undefined && holds(text.bytes, head, keywordAbsent)) {
    throw new CheckFailure('keyword_present', `the body holds the keyword ${quoted(keywordAbsent)}, which it must not`);
  }
  const missing = keyword !== undefined && !holds(text.bytes, head, keyword);
  if (text.cut && (missing || keywordAbsent !== undefined)) {
    const sought = quoted(missing ? keyword : (keywordAbsent ?? ''));
    throw new CheckFailure(
      'response_too_large',
      `the body is larger than ${BODY_BYTES_MAX / 1024 / 1024} MiB, and ${sought} is not in its first part`,
    );
  }
  if (missing) {
    throw new CheckFailure(
      'keyword_missing',
      `the keyword ${quoted(keyword)} is not in the body of ${text.bytes.length} bytes`,
    );
  }
}

/** The URL of an http monitor; throws CheckFailure on what is none. */
export function parseHttpUrl(text: string): URL {
  try {
    const url = new URL(text);
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '') return url;
  } catch {
    // Not a URL at all: the same failure as one of another kind.
  }
  throw protocolError(`${quoted(text)} is not an http or https URL`);
}
