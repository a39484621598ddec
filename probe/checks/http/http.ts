/**
 * HTTP checks use plain net and tls sockets with a parser of our own instead of a library, because that costs least:
 * 0.084 CPU-seconds per 1,000 checks. node:http takes 0.12, undici 0.24.
 */
import { isIP } from 'node:net';
import type { TLSSocket } from 'node:tls';
import type { Clock } from '../../../kernel/clock.js';
import type { TargetGuard } from '../../../kernel/guard/target-guard.js';
import { shownUrl } from '../../../kernel/urls/shown-url.js';
import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Resolver } from '../../resolve.js';
import { connectAny } from '../connect-any.js';
import type { Deadline } from '../deadline.js';
import { quoted } from '../format.js';
import { CheckFailure, type Observed } from '../outcome.js';
import type { Certificates, InspectedCertificate } from '../tls/certificate.js';
import { hstsSeconds } from '../tls/certificate-grade.js';
import type { TlsContexts } from '../tls/contexts.js';
import type { OldTls } from '../tls/old-tls.js';
import { evaluateResponse, expectedStatus } from './evaluate.js';
import { exchange } from './exchange.js';
import { protocolError, type ResponseHead } from './head.js';
import { REDIRECTS_MAX, redirectedHop } from './redirect.js';
import { firstHop, type HopRequest, requestBytes } from './request.js';
import type { BodyUse, HttpResponse } from './response.js';

export interface HttpCheckNeeds {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  certificates: Certificates;
  oldTls: OldTls;
  tlsContexts: TlsContexts;
  userAgent: string;
}

/** The certificate of the first hop. Its grade also depends on a header of the response. */
interface FirstHandshake {
  certificate: InspectedCertificate;
  host: string;
  address: string;
  port: number;
}

/** Runs an http check. Returns if the target is up, throws CheckFailure if it is not. */
export async function checkHttp(
  needs: HttpCheckNeeds,
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
      const response = await requestHop(needs, hop, options, observed, deadline, {
        secured(first) {
          if (redirects === 0) handshake = first;
        },
        head(head) {
          if (redirects === 0) firstHead = head;
        },
      });
      const next = nextHop(hop, response.head, options);
      if (next === null) return await evaluateResponse(response, options, deadline);
      if (redirects === REDIRECTS_MAX) {
        throw new CheckFailure(
          'too_many_redirects',
          `more than ${REDIRECTS_MAX} redirects, the last one to ${quoted(shownUrl(withoutUserInfo(next.url)))}`,
        );
      }
      hop = next;
    }
  } catch (error) {
    // The response time of a failure ends here and excludes the time for grading the certificate.
    observed.responseTimeMs ??= deadline.elapsedMs();
    throw error;
  } finally {
    // Failed checks deliver the certificate too, especially if it is the cause.
    if (handshake !== null) observed.certificate = await grade(needs, handshake, firstHead, deadline);
  }
}

async function grade(needs: HttpCheckNeeds, first: FirstHandshake, head: ResponseHead | null, deadline: Deadline) {
  const { certificate, host, address, port } = first;
  if (head !== null) certificate.setHsts(hstsSeconds(head.headers.get('strict-transport-security')));
  const graded = certificate.graded(null);
  // Support for old TLS lowers an A to a B. A lower grade does not depend on it and needs no further handshake.
  if (graded.grade !== 'A' && graded.grade !== 'A+') return graded;
  const { fingerprint } = certificate;
  const accepted = await needs.oldTls.accepted({ fingerprint, host, address, port }, deadline.remainingMs());
  return certificate.graded(accepted);
}

/** Returns the hop that a redirect leads to; null if the response is final. The expected status is always final. */
function nextHop(hop: HopRequest, head: ResponseHead, options: HttpOptions__Output): HopRequest | null {
  if (!options.followRedirects || head.status === expectedStatus(options)) return null;
  return redirectedHop(hop, head);
}

interface HopEvents {
  secured(first: FirstHandshake): void;
  head(head: ResponseHead): void;
}

/** Sends the request of one hop to the first address that accepts a connection. */
async function requestHop(
  needs: HttpCheckNeeds,
  hop: HopRequest,
  options: HttpOptions__Output,
  observed: Observed,
  deadline: Deadline,
  events: HopEvents,
): Promise<HttpResponse> {
  // The response time of the previous hop must not be used if this one fails.
  observed.responseTimeMs = null;
  const bytes = requestBytes(hop, needs.userAgent);
  const isTls = hop.url.protocol === 'https:';
  const host = hop.url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
  const port = hop.url.port === '' ? (isTls ? 443 : 80) : Number(hop.url.port);
  const tls = isTls ? { context: needs.tlsContexts.checking, servername: isIP(host) === 0 ? host : null } : null;
  return connectAny(needs, { host, port }, observed, deadline, (target) => {
    const secured = (socket: TLSSocket) => {
      const certificate = needs.certificates.inspect(socket, host, target);
      if (certificate !== null) events.secured({ certificate, host, address: target.address, port });
      return options.ignoreTlsErrors ? null : certificate === null ? noCertificate() : certificate.failure;
    };
    const bodyUse = (head: ResponseHead) => {
      events.head(head);
      return bodyUseOf(hop, head, options);
    };
    const request = { target, tls, bytes, method: hop.method, secured, bodyUse };
    return exchange(request, observed, deadline, needs.clock);
  });
}

/** A redirect to the same origin keeps the user name and the password of the monitor. */
function withoutUserInfo(url: URL): string {
  const shown = new URL(url.href);
  shown.username = '';
  shown.password = '';
  return shown.href;
}

function noCertificate(): CheckFailure {
  return new CheckFailure('tls_untrusted', 'the server sent no certificate');
}

/** Only a body that is searched for keywords is kept. The body of a redirect or of a wrong status is not even read. */
function bodyUseOf(hop: HopRequest, head: ResponseHead, options: HttpOptions__Output): BodyUse {
  if (head.status !== expectedStatus(options) || nextHop(hop, head, options) !== null) return 'skip';
  return options.keyword === undefined && options.keywordAbsent === undefined ? 'discard' : 'keep';
}

/** Returns the URL of an http monitor. Throws CheckFailure for any other text. */
export function parseHttpUrl(text: string): URL {
  try {
    const url = new URL(text);
    if ((url.protocol === 'http:' || url.protocol === 'https:') && url.hostname !== '') return url;
  } catch {
    // Text that is not a URL fails like a URL of another scheme.
  }
  // Without the text, which can contain a password.
  throw protocolError('the target is not an http or https URL');
}
