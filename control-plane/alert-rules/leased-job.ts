import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { LeaseStore } from '../storage/lease-store.js';

/** Something that one control plane at a time does each so often. */
export interface LeasedJob {
  start(): void;
  /** One look; false when another control plane has the lease. */
  runOnce(): Promise<boolean>;
  stop(): Promise<void>;
}

/** `holds` renews the lease; work that takes long asks it now and then, and ends when it says false. */
export type LeasedWork = (holds: () => Promise<boolean>) => Promise<void>;

export function createLeasedJob(
  deps: { leases: LeaseStore; owner: string; clock: Clock; logger: Logger },
  { name, periodMs, leaseMs, work }: { name: string; periodMs: number; leaseMs: number; work: LeasedWork },
): LeasedJob {
  const { leases, owner, clock, logger } = deps;
  let timer: Timer | null = null;
  let running: Promise<unknown> | null = null;
  let stopping = false;

  async function runOnce(): Promise<boolean> {
    let renewedMs = clock.monotonic();
    if ((await leases.acquire(name, owner, leaseMs)) === null) return false;
    await work(async () => {
      if (stopping) return false;
      if (clock.monotonic() - renewedMs < leaseMs / 4) return true;
      renewedMs = clock.monotonic();
      return (await leases.acquire(name, owner, leaseMs)) !== null;
    });
    return true;
  }

  return {
    runOnce,
    start() {
      timer = clock.every(periodMs, () => {
        running ??= runOnce()
          .catch((error: unknown) =>
            logger.warn({ err: error, job: name }, 'a look of alert rules failed; the next one tries again'),
          )
          .finally(() => {
            running = null;
          });
      });
    },
    async stop() {
      stopping = true;
      timer?.cancel();
      await running;
      await leases.release(name, owner);
    },
  };
}
