import { systemClock } from '../../../kernel/clock.js';
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

/** A real checker. Loopback targets are allowed unless `guard` refuses them. */
export function testChecker(
  options: { guard?: TargetGuard; dnsServers?: string[]; extraCaPem?: string; hostsPath?: string } = {},
): TestChecker {
  const log = createLogger({ name: 'test', level: 'fatal' });
  const icmp = createIcmp({ clock: systemClock, random: systemRandom, log });
  const checker = createChecker({
    guard: options.guard ?? createTargetGuard({ allowPrivate: true }),
    resolver: createResolver({
      clock: systemClock,
      servers: options.dnsServers ?? null,
      hostsPath: options.hostsPath ?? '/etc/hosts',
      resolvConfPath: '/etc/resolv.conf',
    }),
    clock: systemClock,
    icmp,
    log,
    userAgent: 'Picket/test',
    extraCaPem: options.extraCaPem ?? null,
  });
  const run = (request: CheckRequest) => checker.run(request, new AbortController().signal);
  const defaults = { method: 'GET', expectedStatus: 200, followRedirects: true, ignoreTlsErrors: false, headers: {} };
  return {
    ...checker,
    http: (url, http = {}, timeoutMs = 5000) => run({ type: 'http', url, timeoutMs, http: { ...defaults, ...http } }),
    tcp: (url, timeoutMs = 5000) => run({ type: 'tcp', url, timeoutMs, http: null }),
    ping: (url, timeoutMs = 5000) => run({ type: 'ping', url, timeoutMs, http: null }),
    close: () => icmp.close(),
  };
}
