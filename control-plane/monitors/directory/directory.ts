import type { Clock, Timer } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { WorkspacePlans } from '../../plans/plans.js';
import { createChangePoll, POLL_CHANGES_MS } from '../../storage/poll-changes.js';
import type { MonitorDirectory } from '../monitors.js';
import type { MonitorSecrets } from '../secrets/secrets.js';
import { createDirectoryCache } from './cache.js';
import { createChangeReader } from './change-reader.js';
import type { MonitorChanges } from './changes-store.js';
import type { DirectoryReads } from './directory-store.js';

/** How often all versions are compared. This finds what a poll missed: a transaction longer than the poll's overlap. */
const RECONCILE_MS = 60_000;
/** The plans decide how long new results are kept. */
const PLANS_MS = 20_000;
const RETRY_MS = 1_000;

interface DirectoryNeeds {
  store: DirectoryReads;
  secrets: Pick<MonitorSecrets, 'open'>;
  changes: Pick<MonitorChanges, 'since' | 'newest'>;
  plans: WorkspacePlans;
  clock: Clock;
  logger: Logger;
}

/**
 * Keeps the monitors in memory. Three things keep them up to date: `refresh` after a change by this process, polls for
 * changes by other processes, and complete comparisons, which find changes that were not noted.
 */
export function createMonitorDirectory(needs: DirectoryNeeds): MonitorDirectory {
  const { store, secrets, changes, plans, clock, logger } = needs;
  const cache = createDirectoryCache(store, plans, secrets);
  const reader = createChangeReader(changes, cache.refresh, clock);
  const timers = new Set<Timer>();
  const loaded = createSignal();
  let stopped = false;

  const background = createBackground((error, kind) =>
    logger.warn({ err: error }, `${kind} of the monitor directory failed; the next one repeats it`),
  );
  const poll = createChangePoll({ newest: () => changes.newest(), read: reader.read, clock });

  async function loadUntilDone(): Promise<void> {
    while (!stopped) {
      try {
        await reader.begin();
        await cache.load();
        return loaded.resolve();
      } catch (error) {
        logger.warn({ err: error }, `failed to load the monitor directory, retrying in ${RETRY_MS / 1_000} s`);
        await clock.sleep(RETRY_MS);
      }
    }
  }

  return {
    start() {
      background.run('load', loadUntilDone);
      timers.add(clock.every(POLL_CHANGES_MS, () => background.run('poll', poll)));
      timers.add(clock.every(RECONCILE_MS, () => background.run('comparison', cache.reconcile)));
      timers.add(clock.every(PLANS_MS, () => background.run('read of the plans', cache.refreshPlans)));
    },
    ready: () => loaded.promise,
    refresh: cache.refresh,
    lookup: cache.lookup,
    size: cache.size,
    monitors: cache.monitors,
    assignment: cache.assignment,
    subscribe: cache.subscribe,
    async stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      await background.stop();
      await cache.idle();
    },
  };
}

/** Runs background work, one run of each kind at a time. A failed run is reported and repeated by the next one. */
function createBackground(failed: (error: unknown, kind: string) => void) {
  const running = new Map<string, Promise<void>>();
  let stopped = false;
  return {
    run(kind: string, work: () => Promise<void>): void {
      if (stopped || running.has(kind)) return;
      const done = work()
        .catch((error: unknown) => failed(error, kind))
        .finally(() => running.delete(kind));
      running.set(kind, done);
    },
    async stop(): Promise<void> {
      stopped = true;
      await Promise.all(running.values());
    },
  };
}

/** Returns a promise and the function that resolves it. */
function createSignal(): { promise: Promise<void>; resolve(): void } {
  let resolvePromise: (() => void) | null = null;
  const promise = new Promise<void>((resolve) => {
    resolvePromise = resolve;
  });
  return { promise, resolve: () => resolvePromise?.() };
}
