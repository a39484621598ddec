import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { MonitorDirectory } from '../../monitors/monitors.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { QuarantineStore } from '../../verdicts/locations/quarantine-store.js';
import type { ResultsStore } from '../store.js';
import type { UptimeStore } from '../uptime/store.js';
import { type RolledResult, rolledResult } from './packed-slots.js';
import { createRollChunk, type Pass } from './roll-chunk.js';
import { floorTo, MINUTE_MS } from './rollup.js';
import type { RollupStore } from './store.js';

/** Reads fill in what is not rolled up yet, so a longer pause costs nobody anything and saves four of five writes. */
export const ROLLUP_PERIOD_MS = 300_000;
const FIRST_RUN_MS = 5_000;
/** A minute is closed this long after its end: results of healthy checks have arrived by then. */
const SETTLE_MS = 15_000;
/** Results may become visible this long after the arrival time that they carry; they are read again until then. */
const OVERLAP_MS = 45_000;
/** Arrivals read at once, which bounds memory when much has piled up. */
const SLICE_RESULTS_MAX = 400_000;
const CHUNK_MONITORS = 200;
/** Monitors without new results slide their windows this often. */
const IDLE_MS = 300_000;
const IDLE_MONITORS_MAX = 5_000;
const LEASE = 'rollup';
const LEASE_MS = 60_000;

export interface RollupReport {
  results: number;
  monitors: number;
  /** Monitors that had to be rolled up from raw results again. */
  rebuilt: number;
}

export interface RollupJob {
  start(): void;
  /** One pass over everything that has arrived; null when another control plane holds the lease. */
  runOnce(): Promise<RollupReport | null>;
  /** Resolves when a pass that runs has come to the end of its chunk. */
  stop(): Promise<void>;
}

interface RollupJobDependencies {
  store: RollupStore;
  results: Pick<ResultsStore, 'received' | 'finals'>;
  uptimes: UptimeStore;
  quarantines: Pick<QuarantineStore, 'voidSpans'>;
  directory: Pick<MonitorDirectory, 'lookup' | 'refresh'>;
  leases: LeaseStore;
  /** Names this process among the holders of leases; another one each time it starts. */
  owner: string;
  clock: Clock;
  logger: Logger;
}

/**
 * Every five minutes: what has arrived since the last pass becomes minute and hour slots and uptime figures. Everything is
 * written before the head that says so, and every head before the watermark: a pass that is cut off anywhere is
 * repeated by the next one, with the same outcome.
 */
export function createRollupJob(dependencies: RollupJobDependencies): RollupJob {
  const { store, results, quarantines, directory, leases, owner, clock, logger } = dependencies;
  const rollChunk = createRollChunk(dependencies);
  let stopping = false;

  async function runOnce(): Promise<RollupReport | null> {
    const report: RollupReport = { results: 0, monitors: 0, rebuilt: 0 };
    const fence = await leases.acquire(LEASE, owner, LEASE_MS);
    if (fence === null) return null;
    const nowMs = clock.now();
    const voids = await quarantines.voidSpans();
    const arrivedFromMs = Math.max(0, (await store.watermark()) - OVERLAP_MS);
    const passTo = (ms: number): Pass => ({
      nowMs,
      targetMs: floorTo(ms - SETTLE_MS, MINUTE_MS),
      arrivedFromMs,
      voids,
      fence,
    });
    let fromMs = arrivedFromMs;
    for (;;) {
      const arrived = new Map<string, RolledResult[]>();
      const { count, lastMs } = await results.received(fromMs, nowMs, SLICE_RESULTS_MAX, (result) => {
        const list = arrived.get(result.monitor_id);
        if (list === undefined) arrived.set(result.monitor_id, [rolledResult(result)]);
        else list.push(rolledResult(result));
      });
      const isLast = count < SLICE_RESULTS_MAX;
      // The last millisecond of a full slice may be incomplete: the next slice begins with it.
      const endMs = isLast ? nowMs : Math.max(fromMs + 1, lastMs);
      report.results += count;
      const done = await rollAll(arrived, passTo(endMs), report);
      if (!done) return report;
      await store.saveWatermark(endMs, fence);
      if (isLast) break;
      fromMs = endMs;
    }
    const idle = await store.idleHeads(nowMs - IDLE_MS, IDLE_MONITORS_MAX);
    const nothing = new Map(idle.map((id): [string, RolledResult[]] => [id, []]));
    await rollAll(nothing, passTo(nowMs), report);
    return report;
  }

  /** false when it was told to stop or the lease is gone: then what is left is for the next pass. */
  async function rollAll(
    arrived: ReadonlyMap<string, RolledResult[]>,
    pass: Pass,
    report: RollupReport,
  ): Promise<boolean> {
    const ids = [...arrived.keys()];
    let leasedAtMs = clock.monotonic();
    for (let at = 0; at < ids.length; at += CHUNK_MONITORS) {
      if (stopping) return false;
      if (clock.monotonic() - leasedAtMs > LEASE_MS / 3) {
        if ((await leases.acquire(LEASE, owner, LEASE_MS)) !== pass.fence) return false;
        leasedAtMs = clock.monotonic();
      }
      const chunk = ids.slice(at, at + CHUNK_MONITORS);
      const strangers = chunk.filter((id) => directory.lookup(id) === null);
      if (strangers.length > 0) await directory.refresh(strangers);
      const outcome = await rollChunk(chunk, arrived, pass);
      report.monitors += outcome.monitors;
      report.rebuilt += outcome.rebuilt;
    }
    return true;
  }

  const rounds = createRounds({
    clock,
    firstMs: FIRST_RUN_MS,
    periodMs: ROLLUP_PERIOD_MS,
    async round() {
      const report = await runOnce();
      if (report !== null) logger.debug(report, 'results rolled up');
    },
    failed: (error) => logger.error({ err: error }, 'roll-up failed; the next pass repeats it'),
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
