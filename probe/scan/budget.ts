import type { Clock } from '../../kernel/clock.js';
import { CheckFailure } from '../checks/outcome.js';

/** Connections of one scan, whatever the website does: requests, handshakes and ports. */
const CONNECTIONS_MAX = 40;

/** What is left of the limits of one scan. */
export interface ScanBudget {
  remainingMs(): number;
  /** Counts a connection. Throws CheckFailure when the scan has used up its connections or its time. */
  spend(): void;
  /** Returns the connections so far. */
  connections(): number;
  read(bytes: number): void;
  bytes(): number;
  elapsedMs(): number;
}

export function createScanBudget(clock: Pick<Clock, 'monotonic'>, timeoutMs: number): ScanBudget {
  const startedMs = clock.monotonic();
  const elapsedMs = () => clock.monotonic() - startedMs;
  const remainingMs = () => Math.max(0, timeoutMs - elapsedMs());
  let connections = 0;
  let bytes = 0;
  return {
    ...{ remainingMs, elapsedMs },
    spend() {
      if (connections >= CONNECTIONS_MAX) throw new CheckFailure('unreachable', 'the scan has used up its connections');
      if (remainingMs() <= 0) throw new CheckFailure('response_timeout', 'the time of the scan is over');
      connections += 1;
    },
    connections: () => connections,
    read(more) {
      bytes += more;
    },
    bytes: () => bytes,
  };
}
