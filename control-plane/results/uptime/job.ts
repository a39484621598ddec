import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { MonitorDirectory } from '../../monitors/monitors.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { QuarantineStore } from '../../verdicts/locations/quarantine-store.js';
import { FUTURE_MS_MAX } from '../decode.js';
import { rolledResult } from '../rollup/packed-slots.js';
import { floorTo, HOUR_MS, type RollupHead } from '../rollup/rollup.js';
import type { RollupStore, StoredHead } from '../rollup/store.js';
import type { ResultsStore } from '../store.js';
import { mergeResults, readSums, tailOf, uptimeRule } from './figures.js';
import type { UptimeSettings, UptimeStore } from './store.js';
import { summaryOf } from './sums.js';
import type { VoidSpans } from './uptime.js';

const PERIOD_MS = 3_000;
/** How far back a change of status is looked for: longer than a control plane is away at a restart. */
const CHANGED_WITHIN_MS = 600_000;
const MONITORS_MAX = 200;
const PAUSES_MAX = 1_000;
/** Pauses are looked at for this long, so that the clocks of control planes may differ. */
const PAUSES_AGAIN_MS = 30_000;
/** A new monitor's first result comes within this; what comes later is left to the roll-up of the minute. */
const CHANGES_AGAIN_MS = 60_000;
const LEASE = 'uptime';
const LEASE_MS = 10_000;

export interface UptimeJob {
  start(): void;
  /** One look; the number of monitors whose figures were written, null without the lease. */
  runOnce(): Promise<number | null>;
  stop(): Promise<void>;
}

interface UptimeJobDependencies {
  store: RollupStore;
  results: Pick<ResultsStore, 'finals'>;
  uptimes: UptimeStore;
  quarantines: Pick<QuarantineStore, 'voidSpans'>;
  directory: Pick<MonitorDirectory, 'lookup'>;
  leases: LeaseStore;
  owner: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Between the minutely passes of the roll-up: figures of monitors whose status has just changed, or that have just
 * been checked for the first time, from the roll-up's head and the raw results since. It also notes pauses, which
 * the monitor itself forgets when it is resumed.
 */
export function createUptimeJob(dependencies: UptimeJobDependencies): UptimeJob {
  const { store, results, uptimes, quarantines, directory, leases, owner, clock, logger } = dependencies;
  let stopping = false;
  // Only saves looking at the same pauses again: null looks at all that may be new.
  let pausesSinceMs: number | null = null;
  // The same for changes of status: ten thousand new monitors would otherwise be looked through for ten minutes.
  let changedSinceMs: number | null = null;

  async function runOnce(): Promise<number | null> {
    if ((await leases.acquire(LEASE, owner, LEASE_MS)) === null) return null;
    const nowMs = clock.now();
    await store.notePauses(await uptimes.paused(pausesSinceMs ?? nowMs - CHANGED_WITHIN_MS, PAUSES_MAX), nowMs);
    pausesSinceMs = nowMs - PAUSES_AGAIN_MS;
    const ids = await uptimes.outdated(changedSinceMs ?? nowMs - CHANGED_WITHIN_MS, MONITORS_MAX);
    // While more wait than one look takes, the next one reaches back as far.
    if (ids.length < MONITORS_MAX) changedSinceMs = nowMs - CHANGES_AGAIN_MS;
    if (ids.length === 0) return 0;
    const [heads, settings, voids] = await Promise.all([
      store.heads(ids),
      uptimes.settings(ids),
      quarantines.voidSpans(),
    ]);
    let written = 0;
    for (const its of settings.values()) {
      if (stopping) break;
      if (await refresh(its, heads.get(its._id), voids, nowMs)) written++;
    }
    return written;
  }

  async function refresh(
    settings: UptimeSettings,
    stored: StoredHead | undefined,
    voids: VoidSpans,
    nowMs: number,
  ): Promise<boolean> {
    const monitor = directory.lookup(settings._id);
    if (monitor === null) return false;
    const owner = { workspaceId: settings.workspace_id, monitorId: settings._id };
    const rule = uptimeRule(monitor, stored?.pausesMs ?? [], settings.paused_at_ms, voids);
    const head = stored !== undefined && stored.head.through_ms > 0 ? stored.head : headless(nowMs);
    const raw = await results.finals(owner.workspaceId, owner.monitorId, head.horizon_ms, nowMs + FUTURE_MS_MAX);
    const horizonMs = head.horizon_ms;
    const sums = head.sums ?? (await readSums(store, [{ ...owner, horizonMs }])).get(owner.monitorId);
    if (sums === undefined) return false;
    const tail = tailOf(head, mergeResults(head.recent, raw.map(rolledResult)), rule, nowMs);
    await uptimes.save([{ ...owner, uptime: summaryOf(sums, tail, nowMs) }]);
    return true;
  }

  const rounds = createRounds({
    clock,
    periodMs: PERIOD_MS,
    round: runOnce,
    failed: (error) => logger.error({ err: error }, 'refreshing uptime failed; it is tried again'),
  });
  return {
    start: rounds.start,
    runOnce,
    async stop() {
      stopping = true;
      await rounds.stop();
      await leases.release(LEASE, owner);
    },
  };
}

/** For a monitor that no pass has met yet: it is minutes old, and everything is in the raw results. */
function headless(nowMs: number): RollupHead {
  return { through_ms: 0, horizon_ms: floorTo(nowMs, HOUR_MS) - HOUR_MS, recent: [], sums: null };
}
