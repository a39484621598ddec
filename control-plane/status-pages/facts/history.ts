import type { Clock } from '../../../kernel/clock.js';
import { createFairCache } from '../../../kernel/concurrency/fair-cache.js';
import { createFairSemaphore } from '../../../kernel/concurrency/fair-semaphore.js';
import type { Logger } from '../../../kernel/logger.js';
import type { MonitorHours, MonitorOfHistory } from '../../results/results.js';
import type { DayFacts, PageDays } from './facts.js';

/** Today and yesterday are read again after this time. */
const RECENT_KEPT_MS = 60_000;
/** Nothing older is shown: the first one who asks again waits. */
const RECENT_SHOWN_MS = 120_000;
/** All days are read again after this time: results can arrive a day late from the disk of a probe. */
const ALL_KEPT_MS = 15 * 60_000;
const RECENT_DAYS = 2;
/** Of all workspaces. Each takes some 5 KiB. */
const MONITORS_MAX = 5_000;
/** Monitors whose history is read at the same time. Workspaces take turns: anybody can open a public page. */
const READ_AT_ONCE = 4;

const NOTHING: DayFacts = { observedMs: 0, upMs: 0, leftOutMs: 0 };

interface Entry {
  sums: Map<number, DayFacts>;
  allAtMs: number;
  recentAtMs: number;
  /** While it is read. */
  reading: Promise<void> | null;
}

/** The days of monitors, in memory: reading 90 of them takes far longer than a page may. */
export interface MonitorHistory {
  /**
   * Returns the days of the monitors, by id, at most two minutes old. What is older than one minute is returned and read again for
   * the next one who asks.
   */
  of(
    monitors: readonly MonitorOfHistory[],
    days: PageDays,
    timeZone: string,
  ): Promise<ReadonlyMap<string, readonly DayFacts[]>>;
}

export function createMonitorHistory(needs: { hours: MonitorHours; clock: Clock; logger: Logger }): MonitorHistory {
  const { hours, clock, logger } = needs;
  const entries = createFairCache<Entry>(MONITORS_MAX);
  const reads = createFairSemaphore(READ_AT_ONCE);

  async function read(entry: Entry, monitor: MonitorOfHistory, days: PageDays): Promise<void> {
    const nowMs = clock.monotonic();
    const isAll = nowMs - entry.allAtMs >= ALL_KEPT_MS;
    const startsMs = isAll ? days.startsMs : days.startsMs.slice(-RECENT_DAYS);
    const sums = new Map<number, { observedMs: number; upMs: number; leftOutMs: number }>(
      startsMs.map((startMs) => [startMs, { ...NOTHING }]),
    );
    let place = 0;
    for (const hour of await hours(monitor, startsMs[0] ?? clock.now(), clock.now())) {
      while ((startsMs[place + 1] ?? Number.POSITIVE_INFINITY) <= hour.startMs) place += 1;
      const sum = sums.get(startsMs[place] ?? 0);
      if (sum === undefined) continue;
      sum.observedMs += hour.observedMs;
      sum.upMs += hour.upMs;
      sum.leftOutMs += hour.leftOutMs;
    }
    entry.sums = isAll ? sums : new Map([...entry.sums, ...sums]);
    entry.recentAtMs = nowMs;
    if (isAll) entry.allAtMs = nowMs;
  }

  /** Reads what is too old. One read at a time of each monitor. */
  function refresh(entry: Entry, monitor: MonitorOfHistory, days: PageDays): Promise<void> {
    entry.reading ??= reads
      .run(monitor.workspace_id, () => read(entry, monitor, days))
      .finally(() => {
        entry.reading = null;
      });
    return entry.reading;
  }

  async function daysOf(monitor: MonitorOfHistory, days: PageDays, timeZone: string): Promise<readonly DayFacts[]> {
    const entry = entries.get(monitor.workspace_id, `${monitor._id} ${timeZone}`, newEntry);
    const ageMs = clock.monotonic() - entry.recentAtMs;
    if (ageMs >= RECENT_SHOWN_MS) await refresh(entry, monitor, days);
    else if (ageMs >= RECENT_KEPT_MS) {
      refresh(entry, monitor, days).catch((err: unknown) => {
        logger.warn({ err, monitor: monitor._id }, 'failed to read the history of a monitor; the next request retries');
      });
    }
    return days.startsMs.map((startMs) => entry.sums.get(startMs) ?? NOTHING);
  }

  return {
    async of(monitors, days, timeZone) {
      const all = await Promise.all(monitors.map((monitor) => daysOf(monitor, days, timeZone)));
      return new Map(monitors.map(({ _id }, index) => [_id, all[index] ?? []]));
    },
  };
}

function newEntry(): Entry {
  return {
    sums: new Map(),
    reading: null,
    allAtMs: Number.NEGATIVE_INFINITY,
    recentAtMs: Number.NEGATIVE_INFINITY,
  };
}
