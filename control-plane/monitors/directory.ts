import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createLook, NEWS_MS } from '../storage/look-for-news.js';
import type { MonitorChanges } from './changes-store.js';
import { createDirectoryCache } from './directory-cache.js';
import type { MonitorDirectory, WorkspacePlans } from './monitors.js';
import type { MonitorStore } from './store.js';

/** How often everything is compared. It finds what a poll missed: a transaction that took longer than the overlap. */
const RECONCILE_MS = 60_000;
/** A change is written some time before it is committed and can be seen, so each poll looks back this far. */
const POLL_OVERLAP_MS = 15_000;
const RETRY_MS = 1_000;

interface DirectoryDependencies {
  store: Pick<MonitorStore, 'directoryPage' | 'directoryRows' | 'versions'>;
  changes: Pick<MonitorChanges, 'since' | 'newest'>;
  plans: WorkspacePlans;
  clock: Clock;
  logger: Logger;
}

/**
 * The monitors in memory. Three things keep it fresh: `refresh` after a change of this process, looks at what others
 * noted, and complete comparisons, which find what nobody noted.
 */
export function createMonitorDirectory(dependencies: DirectoryDependencies): MonitorDirectory {
  const { store, changes, plans, clock, logger } = dependencies;
  const cache = createDirectoryCache(store, plans);
  const poll = createPoll(changes, cache.refresh, clock);
  const timers = new Set<Timer>();
  const loaded = createSignal();
  let stopped = false;

  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const background = createBackground(warn);
  const look = createLook({ newest: () => changes.newest(), read: poll.run, clock });

  async function loadUntilDone(): Promise<void> {
    while (!stopped) {
      try {
        await poll.begin();
        await cache.load();
        return loaded.give();
      } catch (error) {
        warn('monitors could not be loaded; trying again')(error);
        await clock.sleep(RETRY_MS);
      }
    }
  }

  return {
    start() {
      background.run('load', loadUntilDone);
      timers.add(clock.every(NEWS_MS, () => background.run('look', look)));
      timers.add(clock.every(RECONCILE_MS, () => background.run('compare', cache.reconcile)));
    },
    ready: () => loaded.given,
    refresh: cache.refresh,
    lookup: cache.lookup,
    size: cache.size,
    assignments: cache.assignments,
    assignment: cache.assignment,
    subscribe: cache.subscribe,
    async stop() {
      stopped = true;
      for (const timer of timers) timer.cancel();
      await background.end();
      await cache.idle();
    },
  };
}

/** Work that nobody waits for: one run of a kind at a time, and a failed one has its next turn. */
function createBackground(warn: (message: string) => (error: unknown) => void) {
  const running = new Map<string, Promise<void>>();
  let ended = false;
  return {
    run(kind: string, work: () => Promise<void>): void {
      if (ended || running.has(kind)) return;
      const done = work()
        .catch(warn(`monitors: ${kind} failed`))
        .finally(() => running.delete(kind));
      running.set(kind, done);
    },
    async end(): Promise<void> {
      ended = true;
      await Promise.all(running.values());
    },
  };
}

/** Reads what was written since the newest change seen, and for a while a little before it. */
function createPoll(
  changes: Pick<MonitorChanges, 'since'>,
  refresh: (ids: readonly string[]) => Promise<void>,
  clock: Pick<Clock, 'monotonic'>,
) {
  let newestMs = 0;
  /** Once the newest is this old nothing is committed before it any more. */
  let overlapUntilMs = 0;
  let seen = new Map<string, string>();
  return {
    /** Called before everything is read: older changes are in that. */
    async begin(): Promise<void> {
      newestMs = (await changes.since(null))[0]?.at.getTime() ?? 0;
    },
    async run(): Promise<void> {
      const overlapMs = clock.monotonic() < overlapUntilMs ? POLL_OVERLAP_MS : 0;
      const rows = await changes.since(new Date(Math.max(0, newestMs - overlapMs)));
      const marks = new Map(rows.map((row) => [row._id, `${row.at.getTime()}/${row.count}`]));
      await refresh([...marks].filter(([id, mark]) => seen.get(id) !== mark).map(([id]) => id));
      seen = marks;
      const newestRowMs = Math.max(0, ...rows.map((row) => row.at.getTime()));
      if (newestRowMs <= newestMs) return;
      newestMs = newestRowMs;
      overlapUntilMs = clock.monotonic() + POLL_OVERLAP_MS;
    },
  };
}

/** A promise and what resolves it. */
function createSignal(): { given: Promise<void>; give(): void } {
  let give: (() => void) | null = null;
  const given = new Promise<void>((resolve) => {
    give = resolve;
  });
  return { given, give: () => give?.() };
}
