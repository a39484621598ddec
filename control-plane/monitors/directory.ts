import type { Clock, Timer } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { MonitorChanges } from './changes-store.js';
import { createDirectoryCache } from './directory-cache.js';
import type { MonitorDirectory, WorkspacePlans } from './monitors.js';
import type { MonitorStore } from './store.js';

/** How often the database is asked what changed. The change stream makes it sooner; this makes it certain. */
const POLL_MS = 2_000;
/** How often everything is compared. It finds what a poll missed: a transaction that took longer than the overlap. */
const RECONCILE_MS = 60_000;
/** A change is written some time before it is committed and can be seen, so each poll looks back this far. */
const POLL_OVERLAP_MS = 15_000;
const RETRY_MS = 1_000;

interface DirectoryDependencies {
  store: Pick<MonitorStore, 'directoryPage' | 'directoryRows' | 'versions'>;
  changes: Pick<MonitorChanges, 'since' | 'watch'>;
  plans: WorkspacePlans;
  clock: Clock;
  logger: Logger;
}

/**
 * The monitors in memory. Three things keep it fresh: `refresh` after a change of this process, a change stream
 * that wakes for those of others, and polls and complete comparisons that need neither to work.
 */
export function createMonitorDirectory(dependencies: DirectoryDependencies): MonitorDirectory {
  const { store, changes, plans, clock, logger } = dependencies;
  const cache = createDirectoryCache(store, plans);
  const poll = createPoll(changes, cache.refresh);
  const timers = new Set<Timer>();
  const loaded = createSignal();
  let stream: { close(): Promise<void> } | null = null;
  let stopped = false;

  const warn = (message: string) => (error: unknown) => logger.warn({ err: error }, message);
  const background = createBackground(warn);

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

  function watch(): void {
    const opened = changes.watch(
      (id) => void cache.refresh([id]).catch(warn('a changed monitor could not be read; the next poll tries again')),
      (error) => {
        // Both the error and the close that follows it end here; the first of them opens another stream.
        if (stream !== opened) return;
        stream = null;
        void opened.close().catch(warn('a broken change stream could not be closed'));
        warn('the change stream of monitors ended; it is opened again and everything compared')(error);
        const again = clock.after(RETRY_MS, () => {
          timers.delete(again);
          watch();
          background.run('compare', cache.reconcile);
        });
        timers.add(again);
      },
    );
    stream = opened;
  }

  return {
    start() {
      // The stream first: what changes while everything is read is read again.
      watch();
      background.run('load', loadUntilDone);
      timers.add(clock.every(POLL_MS, () => background.run('poll', poll.run)));
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
      const open = stream;
      stream = null;
      await open?.close();
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

/** Reads what was written since the newest change seen, and a little before it. */
function createPoll(changes: Pick<MonitorChanges, 'since'>, refresh: (ids: readonly string[]) => Promise<void>) {
  let newestMs = 0;
  let seen = new Map<string, string>();
  return {
    /** Called before everything is read: older changes are in that. */
    async begin(): Promise<void> {
      newestMs = (await changes.since(null))[0]?.at.getTime() ?? 0;
    },
    async run(): Promise<void> {
      const rows = await changes.since(new Date(Math.max(0, newestMs - POLL_OVERLAP_MS)));
      const marks = new Map(rows.map((row) => [row._id, `${row.at.getTime()}/${row.count}`]));
      await refresh([...marks].filter(([id, mark]) => seen.get(id) !== mark).map(([id]) => id));
      seen = marks;
      for (const row of rows) newestMs = Math.max(newestMs, row.at.getTime());
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
