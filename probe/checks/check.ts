import type { Clock } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Logger } from '../../kernel/logger.js';
import type { HttpOptions__Output } from '../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Icmp } from '../icmp/icmp.js';
import type { Resolver } from '../resolve.js';
import { type Checker, createBoundedChecker } from './bounded.js';
import type { Deadline } from './deadline.js';
import { quoted } from './format.js';
import { protocolError } from './http/head.js';
import { checkHttp, parseHttpUrl } from './http/http.js';
import type { CheckRequest, Observed } from './outcome.js';
import { checkPing } from './ping.js';
import { parseHost, parseHostPort } from './target.js';
import { checkTcp } from './tcp.js';
import { createCertificates } from './tls/certificate.js';
import { createTlsContexts } from './tls/contexts.js';
import { createOldTls } from './tls/old-tls.js';

export type { Checker } from './bounded.js';
export type { CheckRequest } from './outcome.js';

export interface CheckerNeeds {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  icmp: Icmp;
  log: Logger;
  userAgent: string;
  /** PEM of certificate authorities that are trusted in addition to those of the system; null for none. */
  extraCaPem: string | null;
}

/** The options of an http monitor that has none. */
const HTTP_DEFAULTS: HttpOptions__Output = {
  method: 'GET',
  expectedStatus: 200,
  followRedirects: true,
  ignoreTlsErrors: false,
  headers: {},
};

export function createChecker(needs: CheckerNeeds): Checker {
  const tlsContexts = createTlsContexts(needs.extraCaPem);
  const certificates = createCertificates({ clock: needs.clock });
  const oldTls = createOldTls({ clock: needs.clock, oldOnly: tlsContexts.oldOnly });
  const tools = { ...needs, tlsContexts, certificates, oldTls };

  async function check(request: CheckRequest, observed: Observed, deadline: Deadline): Promise<void> {
    if (request.type === 'http') {
      return checkHttp(tools, parseHttpUrl(request.url), request.http ?? HTTP_DEFAULTS, observed, deadline);
    }
    if (request.type === 'tcp') {
      const target = parseHostPort(request.url);
      if (target === null) throw protocolError(`${quoted(request.url)} is not a host and port`);
      return checkTcp(tools, target, observed, deadline);
    }
    if (request.type === 'ping') {
      const host = parseHost(request.url);
      if (host === null) throw protocolError(`${quoted(request.url)} is not a host name or address`);
      return checkPing(tools, host, observed, deadline);
    }
    throw protocolError(
      `this probe does not support checks of type ${quoted(request.type)}, because it is older than its control plane`,
    );
  }

  return createBoundedChecker({ steps: check, clock: needs.clock, log: needs.log });
}
