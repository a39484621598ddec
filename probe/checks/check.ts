import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { HttpOptions__Output } from '../../proto/generated/picket/link/v1/HttpOptions.js';
import type { Icmp } from '../icmp-socket.js';
import type { Resolver } from '../resolve.js';
import { createCertificates } from './certificate.js';
import { createDeadline, type Deadline } from './deadline.js';
import { checkHttp, parseHttpUrl } from './http.js';
import { protocolError } from './http-head.js';
import { createOldTls } from './old-tls.js';
import { CheckFailure, type CheckOutcome, type CheckRequest, nothingObserved, type Observed } from './outcome.js';
import { checkPing } from './ping.js';
import { cutOff, parseHost, parseHostPort } from './target.js';
import { checkTcp } from './tcp.js';
import { createTlsContexts } from './tls-contexts.js';
import { duration, quoted } from './words.js';

export type { CheckOutcome, CheckRequest } from './outcome.js';
export { CHECK_ERROR_CODES } from './outcome.js';

export interface Checker {
  /**
   * Runs one check. Never rejects, and resolves at the latest half a second after the timeout whatever the target
   * does. When `signal` is aborted it resolves at once, with an outcome that says nothing about the target.
   */
  run(request: CheckRequest, signal: AbortSignal): Promise<CheckOutcome>;
}

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

/** What a check may take beyond its timeout when one of its steps does not hear the bell. It is not expected to. */
const GRACE_MS = 500;
const TIMEOUT_MS_MIN = 1;
/** Enough for microseconds, and short on the wire. */
const DECIMALS = 1000;

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

  return {
    run(request, signal) {
      return new Promise((resolve) => {
        const timeoutMs = Math.max(TIMEOUT_MS_MIN, request.timeoutMs);
        const deadline = createDeadline(options.clock, timeoutMs, signal);
        const observed = nothingObserved();
        const finish = (error: unknown) => {
          deadline.close();
          const failure = failureOf(error);
          const outcome = outcomeOf(observed, deadline, failure);
          resolve(failure === OWN_FAULT ? { ...outcome, inconclusive: true } : outcome);
        };
        deadline.onOverrun(GRACE_MS, () => finish(overrun(request)));
        if (signal.aborted) finish(cutOff());
        else check(request, observed, deadline).then(() => finish(null), finish);
      });
    },
  };

  function failureOf(error: unknown): CheckFailure | null {
    if (error === null || error instanceof CheckFailure) return error;
    // It must not end the probe, must not page anybody, and must not go unseen either.
    options.log.error({ err: error }, 'a check broke off inside the probe and is not reported');
    return OWN_FAULT;
  }
}

/** A fault of ours, not of the target. */
const OWN_FAULT = new CheckFailure('protocol_error', 'the check broke off inside the probe, which has logged why');

function overrun(request: CheckRequest): CheckFailure {
  return new CheckFailure('response_timeout', `the check did not end within ${duration(request.timeoutMs)}`);
}

function outcomeOf(observed: Observed, deadline: Deadline, failure: CheckFailure | null): CheckOutcome {
  const { dnsMs, connectMs, tlsMs, ttfbMs, transferMs } = observed.timings;
  return {
    up: failure === null,
    responseTimeMs: rounded(observed.responseTimeMs ?? deadline.elapsedMs()),
    timings: {
      dnsMs: rounded(dnsMs),
      connectMs: rounded(connectMs),
      tlsMs: rounded(tlsMs),
      ttfbMs: rounded(ttfbMs),
      transferMs: rounded(transferMs),
    },
    httpStatus: observed.httpStatus,
    error: failure === null ? null : { code: failure.code, message: failure.message },
    certificate: observed.certificate,
    address: observed.address,
  };
}

function rounded<Value extends number | null>(ms: Value): Value | number {
  return ms === null ? ms : Math.round(ms * DECIMALS) / DECIMALS;
}
