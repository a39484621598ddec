import type { Clock } from '../kernel/clock.js';
import type { Checker, CheckRequest } from './checks/check.js';

/**
 * Watches targets of the operators' own, which tell a broken network of this probe from broken monitors. Only the
 * newest list counts.
 */
export interface Canary {
  /** `tcp://host:port`, an http(s) URL, or a host to ping. */
  watch(targets: readonly string[]): void;
  /** Whether at least half of the targets answered last; true before the first round and without targets. */
  ok(): boolean;
  targets(): number;
  stop(): void;
}

const CANARY_PERIOD_MS = 10_000;
const CANARY_TIMEOUT_MS = 5_000;
const CANARY_TARGETS_MAX = 20;

export function createCanary(options: { checker: Checker; clock: Clock; changed(): void }): Canary {
  let requests: CheckRequest[] = [];
  let controller = new AbortController();
  let ok = true;

  function say(next: boolean): void {
    if (next === ok) return;
    ok = next;
    options.changed();
  }

  async function round(): Promise<void> {
    const { signal } = controller;
    const answered = await Promise.all(requests.map((request) => answers(options.checker, request, signal)));
    if (signal.aborted) return;
    say(answered.filter(Boolean).length * 2 >= answered.length);
  }

  function startRound(): void {
    round().catch(() => {
      // A check that breaks off is no answer of the network either way.
    });
  }

  const timer = options.clock.every(CANARY_PERIOD_MS, startRound);

  return {
    watch(targets) {
      const wanted = targets.slice(0, CANARY_TARGETS_MAX).map(toRequest);
      if (JSON.stringify(wanted) === JSON.stringify(requests)) return;
      controller.abort();
      controller = new AbortController();
      requests = wanted;
      if (wanted.length === 0) say(true);
      startRound();
    },
    ok: () => ok,
    targets: () => requests.length,
    stop() {
      timer.cancel();
      controller.abort();
    },
  };
}

/** Any answer of HTTP will do: it is the network that is asked, not the site. */
async function answers(checker: Checker, request: CheckRequest, signal: AbortSignal): Promise<boolean> {
  const outcome = await checker.run(request, signal);
  return outcome.up || outcome.httpStatus !== null;
}

function toRequest(target: string): CheckRequest {
  const timeoutMs = CANARY_TIMEOUT_MS;
  if (!/^https?:\/\//i.test(target)) {
    return { type: target.startsWith('tcp://') ? 'tcp' : 'ping', url: target, timeoutMs, http: null };
  }
  const http = { method: 'GET', expectedStatus: 200, followRedirects: false, ignoreTlsErrors: true, headers: {} };
  return { type: 'http', url: target, timeoutMs, http };
}
