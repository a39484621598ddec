import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { createPeriodicTask } from '../../kernel/periodic-task.js';
import { waitAtMost } from '../../kernel/wait-at-most.js';
import type { Job } from '../slice.js';
import { createAdoption } from './adoption.js';
import type { LiveStore, LiveUpdate } from './live-store.js';
import type { WaitingResults, WaitingStore } from './waiting-store.js';

/** How often a locked monitor is tried again. */
const RETRY_MS = 1_000;
/** Of locked monitors, counted by monitor and location. Beyond this, batches with results of others are refused. */
const WAITING_MAX = 10_000;
/** The last try before the process ends. */
const STOP_MS_MAX = 1_000;
/** How often results are looked for that another control plane has kept, and has not written. */
const ADOPT_MS = 10_000;

/**
 * Writes the newest results of monitors. Those of a monitor that another transaction has locked are kept until they can be
 * written, so that they do not keep the others waiting: the transaction of a control plane that was killed locks its
 * monitors for a minute or more. They are kept in memory, and stored for the case that this process dies meanwhile.
 */
export interface LiveWrites extends Job {
  apply(updates: readonly LiveUpdate[]): Promise<void>;
}

interface LiveWritesNeeds {
  live: LiveStore;
  waiting: WaitingStore;
  clock: Pick<Clock, 'after' | 'every' | 'sleep'>;
  /** Names this process. */
  owner: string;
  logger: Logger;
}

export function createLiveWrites(needs: LiveWritesNeeds): LiveWrites {
  const { live, logger } = needs;
  const waiting = createWaiting(needs.owner);
  let storing = Promise.resolve();

  /** Stores entries in the order in which they changed. */
  function store(kept: readonly WaitingResults[]): Promise<void> {
    if (kept.length === 0) return Promise.resolve();
    const stored = storing.then(() => needs.waiting.keep(kept));
    storing = stored.catch(() => {});
    return stored;
  }

  async function retry(): Promise<void> {
    const tried = waiting.all();
    if (tried.length === 0) return;
    const left = new Set((await live.applyEach(tried.flatMap(({ updates }) => updates))).map(keyOf));
    await needs.waiting.remove(waiting.end(tried, left));
  }

  const onFailure = (err: unknown) =>
    logger.warn({ err, results: waiting.size() }, 'writing results of locked monitors failed');
  const retries = createPeriodicTask({ clock: needs.clock, periodMs: RETRY_MS, run: retry, onFailure });
  const adoption = createPeriodicTask({
    ...{ clock: needs.clock, periodMs: ADOPT_MS, firstMs: 0, run: createAdoption(needs) },
    onFailure: (err) => logger.warn({ err }, 'writing results failed that another control plane had kept'),
  });

  return {
    async apply(updates) {
      const known = waiting.monitors();
      const free = updates.filter(({ monitorId }) => !known.has(monitorId));
      const ofKnown = updates.filter(({ monitorId }) => known.has(monitorId));
      const locked = await live.apply(free);
      if (locked.length > 0) {
        const monitors = [...new Set(locked.map(({ monitorId }) => monitorId))];
        logger.warn(
          { monitors },
          'a transaction has locked monitors; their newest results, and those not reached, are written later',
        );
      }
      const { kept, hasRoom } = waiting.keep([...ofKnown, ...locked]);
      await store(kept);
      if (!hasRoom) throw new Error('too many results wait for locked monitors');
    },
    start() {
      adoption.start();
      retries.start();
    },
    async stop() {
      const stopped = async () => {
        await Promise.all([adoption.stop(), retries.stop()]);
        await retry();
      };
      await waitAtMost(needs.clock, STOP_MS_MAX, stopped().catch(onFailure));
      if (waiting.size() === 0) return;
      logger.warn(
        { results: waiting.size() },
        'stopped before results of locked monitors were written; another control plane writes them, or the next start',
      );
    },
  };
}

/** Results in memory, one entry for each monitor, location and version, in the order in which they are tried. */
function createWaiting(owner: string) {
  const entries = new Map<string, WaitingResults>();
  let revision = 0;
  return {
    size: () => entries.size,
    all: () => [...entries.values()],
    monitors: () => new Set([...entries.values()].flatMap(({ updates }) => updates.map(({ monitorId }) => monitorId))),
    /** Returns the entries that changed, and whether there was room for all. */
    keep(updates: readonly LiveUpdate[]) {
      let hasRoom = true;
      const changed = new Set<string>();
      revision += 1;
      for (const update of updates) {
        const key = keyOf(update);
        const known = entries.get(key);
        if (known === undefined && entries.size >= WAITING_MAX) {
          hasRoom = false;
          continue;
        }
        const newest = newestOf([...(known?.updates ?? []), update]);
        entries.set(key, { id: `${owner}/${key}`, revision, updates: newest });
        changed.add(key);
      }
      return { hasRoom, kept: [...entries].filter(([key]) => changed.has(key)).map(([, entry]) => entry) };
    },
    /** Removes what was tried and is not left, and returns it. What is left is tried in this order the next time. */
    end(tried: readonly WaitingResults[], left: ReadonlySet<string>): WaitingResults[] {
      const written = tried.filter(({ updates }) => !updates.some((update) => left.has(keyOf(update))));
      for (const entry of written) {
        const key = entry.id.slice(owner.length + 1);
        // Newer ones may have been added meanwhile.
        if (entries.get(key) === entry) entries.delete(key);
      }
      for (const key of left) {
        const entry = entries.get(key);
        entries.delete(key);
        if (entry !== undefined) entries.set(key, entry);
      }
      return written;
    },
  };
}

/** Results of an earlier version of a monitor are not written if its target has changed, however new they are. */
function keyOf({ monitorId, location, monitorVersion }: LiveUpdate): string {
  return `${monitorId}/${location}/${monitorVersion}`;
}

/** Returns the newest, the newest successful one and the newest with a certificate, which are one or several. */
function newestOf(updates: readonly LiveUpdate[]): readonly LiveUpdate[] {
  const sorted = updates.toSorted(byTime);
  const newest = [
    sorted.at(-1),
    sorted.findLast(({ result }) => result.up),
    sorted.findLast(({ certificate }) => certificate !== null),
  ];
  return [...new Set(newest)].filter((update) => update !== undefined);
}

/** The order in which the stored results are compared. */
function byTime({ result: a }: LiveUpdate, { result: b }: LiveUpdate): number {
  return a.checked_at_ms - b.checked_at_ms || a.slot_ms - b.slot_ms || a.attempt - b.attempt;
}
