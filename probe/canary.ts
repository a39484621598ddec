import type { Clock } from '../kernel/clock.js';
import type { Checker, CheckRequest } from './checks/check.js';
import type { CheckOutcome } from './checks/outcome.js';

/**
 * Checks reference targets that the operator chose. If they fail, the network of the probe is broken rather than the
 * monitors. Each list of targets replaces the previous one.
 */
export interface Canary {
  /** A target is `tcp://host:port`, an http(s) URL, or a host to ping. */
  watch(targets: readonly string[]): void;
  /** Whether at least half of the targets were reachable at the last check. True before it and without targets. */
  ok(): boolean;
  targets(): number;
  stop(): void;
}

const CANARY_PERIOD_MS = 10_000;
const CANARY_TIMEOUT_MS = 5_000;
const CANARY_TARGETS_MAX = 20;

/** `changed` is called when the result of `ok` changes. */
export function createCanary(needs: { checker: Checker; clock: Clock; changed(): void }): Canary {
  let requests: CheckRequest[] = [];
  let controller = new AbortController();
  let ok = true;

  function setOk(next: boolean): void {
    if (next === ok) return;
    ok = next;
    needs.changed();
  }

  async function checkAll(): Promise<void> {
    const { signal } = controller;
    const outcomes = await Promise.all(requests.map((request) => needs.checker.run(request, signal)));
    const conclusive = outcomes.filter(({ inconclusive }) => inconclusive !== true);
    if (signal.aborted || conclusive.length === 0) return;
    setOk(conclusive.filter(isReachable).length * 2 >= conclusive.length);
  }

  function tick(): void {
    checkAll().catch(() => {
      // A check that failed inside the probe says nothing about the network, so `ok` stays as it is.
    });
  }

  const timer = needs.clock.every(CANARY_PERIOD_MS, tick);

  return {
    watch(targets) {
      const wanted = targets.slice(0, CANARY_TARGETS_MAX).map(toRequest);
      if (JSON.stringify(wanted) === JSON.stringify(requests)) return;
      controller.abort();
      controller = new AbortController();
      requests = wanted;
      if (wanted.length === 0) setOk(true);
      tick();
    },
    ok: () => ok,
    targets: () => requests.length,
    stop() {
      timer.cancel();
      controller.abort();
    },
  };
}

/** Any HTTP response counts, whatever its status: the check is about the network, not about the site. */
function isReachable(outcome: CheckOutcome): boolean {
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
