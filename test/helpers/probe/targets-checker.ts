import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createTargetGuard, type TargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type Checker, createChecker } from '../../../probe/checks/check.js';
import type { CheckOutcome, CheckRequest } from '../../../probe/checks/outcome.js';
import { createIcmp } from '../../../probe/icmp/icmp.js';
import { createResolver } from '../../../probe/resolve.js';
import type { HttpOptions__Output } from '../../../proto/generated/picket/link/v1/HttpOptions.js';

export interface TestChecker extends Checker {
  http(url: string, options?: Partial<HttpOptions__Output>, timeoutMs?: number): Promise<CheckOutcome>;
  tcp(target: string, timeoutMs?: number): Promise<CheckOutcome>;
  ping(target: string, timeoutMs?: number): Promise<CheckOutcome>;
  close(): void;
}

/** The timeout of a check that must not end by it. If it did, the guard of the test file would end first. */
const TIMEOUT_MS = 3_600_000;

/** A real checker. Loopback targets are allowed unless `guard` refuses them. */
export function testChecker(
  options: { guard?: TargetGuard; dnsServers?: string[]; extraCaPem?: string; hostsPath?: string; clock?: Clock } = {},
): TestChecker {
  const { clock = systemClock } = options;
  const log = createLogger({ name: 'test', level: 'fatal' });
  const icmp = createIcmp({ clock, random: systemRandom, log });
  const checker = createChecker({
    guard: options.guard ?? createTargetGuard({ allowPrivate: true }),
    resolver: createResolver({
      clock,
      servers: options.dnsServers ?? null,
      hostsPath: options.hostsPath ?? '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock,
    icmp,
    log,
    userAgent: 'Picket/test',
    extraCaPem: options.extraCaPem ?? null,
  });
  const run = (request: CheckRequest) => checker.run(request, new AbortController().signal);
  const defaults = { method: 'GET', expectedStatus: 200, followRedirects: true, ignoreTlsErrors: false, headers: {} };
  return {
    ...checker,
    http: (url, http = {}, timeoutMs = TIMEOUT_MS) =>
      run({ type: 'http', url, timeoutMs, http: { ...defaults, ...http } }),
    tcp: (url, timeoutMs = TIMEOUT_MS) => run({ type: 'tcp', url, timeoutMs, http: null }),
    ping: (url, timeoutMs = TIMEOUT_MS) => run({ type: 'ping', url, timeoutMs, http: null }),
    close: () => icmp.close(),
  };
}
