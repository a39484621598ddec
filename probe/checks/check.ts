import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { HttpOptions__Output } from '../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Icmp } from '../icmp/socket.js';
import type { Resolver } from '../resolve.js';
import { type Checker, createBoundedChecker } from './bounded.js';
import type { Deadline } from './deadline.js';
import { protocolError } from './http/head.js';
import { checkHttp, parseHttpUrl } from './http/http.js';
import type { CheckRequest, Observed } from './outcome.js';
import { checkPing } from './ping.js';
import { parseHost, parseHostPort } from './target.js';
import { checkTcp } from './tcp.js';
import { createCertificates } from './tls/certificate.js';
import { createTlsContexts } from './tls/contexts.js';
import { createOldTls } from './tls/old-tls.js';
import { quoted } from './words.js';

export type { Checker } from './bounded.js';
export type { CheckOutcome, CheckRequest } from './outcome.js';
export { CHECK_ERROR_CODES } from './outcome.js';

export interface CheckerOptions {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  icmp: Icmp;
  log: Logger;
  userAgent: string;
  /** Authorities trusted beside those of the system, PEM; null for none. */
  extraCaPem: string | null;
}

/** Options of an http monitor that came without any. */
const HTTP_DEFAULTS: HttpOptions__Output = {
  method: 'GET',
  expectedStatus: 200,
  followRedirects: true,
  ignoreTlsErrors: false,
  headers: {},
};

export function createChecker(options: CheckerOptions): Checker {
  const tlsContexts = createTlsContexts(options.extraCaPem);
  const certificates = createCertificates({ clock: options.clock });
  const oldTls = createOldTls({ clock: options.clock, oldOnly: tlsContexts.oldOnly });
  const deps = { ...options, tlsContexts, certificates, oldTls };

  async function check(request: CheckRequest, observed: Observed, deadline: Deadline): Promise<void> {
    if (request.type === 'http') {
      return checkHttp(deps, parseHttpUrl(request.url), request.http ?? HTTP_DEFAULTS, observed, deadline);
    }
    if (request.type === 'tcp') {
      const target = parseHostPort(request.url);
      if (target === null) throw protocolError(`${quoted(request.url)} is not a host and port`);
      return checkTcp(deps, target, observed, deadline);
    }
    if (request.type === 'ping') {
      const host = parseHost(request.url);
      if (host === null) throw protocolError(`${quoted(request.url)} is not a host name or address`);
      return checkPing(deps, host, observed, deadline);
    }
    throw protocolError(
      `this probe knows no checks of type ${quoted(request.type)}; it is older than its control plane`,
    );
  }

  return createBoundedChecker({ steps: check, clock: options.clock, log: options.log });
}
