import type { UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { MonitorDirectory } from '../../monitors/monitors.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import type { QuarantineHistory } from '../results.js';
import type { ResultsStore } from '../store.js';
import { minoritySpans } from '../uptime/minority.js';
import type { UptimeStore } from '../uptime/store.js';
import { type Arrival, arrivalMs, secondsBefore } from './arrival.js';
import { createRollChunk } from './roll-chunk.js';
import type { Pass } from './roll-monitor.js';
import { type RolledResult, rolledResult } from './rolled-result.js';
import { floorTo, MINUTE_MS } from './slots.js';
import type { RollupStore } from './store.js';

/** Reads add what is not rolled up yet, so a long period loses nothing and saves four of five writes. */
const PERIOD_MS = 300_000;
const FIRST_RUN_MS = 5_000;
/** A minute is closed this long after its end. Results of healthy checks have arrived by then. */
const SETTLE_MS = 15_000;
/**
 * A result may become visible this long after the time at which the database stored it: the write may wait in the
 * database, but not longer than the driver waits for it (`SILENCE_MS`). Arrivals of this time are read again.
 */
const OVERLAP_S = 45;
/** Results that are read at once. This bounds the memory when many results are waiting. */
const BATCH_RESULTS_MAX = 400_000;
const CHUNK_MONITORS = 200;
/** How often the windows of monitors without new results are moved. */
const IDLE_MS = 300_000;
const IDLE_MONITORS_MAX = 5_000;
const LEASE_MS = 60_000;

/** What one pass did. */
export interface RollupCounts {
  results: number;
  monitors: number;
  /** Monitors that were rolled up from raw results again. */
  rebuilt: number;
}

type RollupJob = LeasedPeriodicTask<RollupCounts>;

interface RollupJobNeeds extends LeasedPeriodicTaskNeeds {
  store: RollupStore;
  results: Pick<ResultsStore, 'adoptReceived' | 'arrived' | 'finals'>;
  uptimes: UptimeStore;
  quarantines: QuarantineHistory;
  maintenance: UptimeMaintenance;
  directory: Pick<MonitorDirectory, 'lookup' | 'refresh'>;
}

/**
 * Every five minutes, rolls up the results that arrived since the last pass into minute slots, hour slots and uptimes.
 * The clock of the control plane decides which minutes are written, not which results are read. Slots are written
 * before the head that names them, and heads before the watermark, so that the next pass repeats an interrupted one
 * with the same result.
 */
export function createRollupJob(needs: RollupJobNeeds): RollupJob {
  const { store, results, quarantines, directory, logger } = needs;
  const rollChunk = createRollChunk(needs);

  async function rollUp(lease: TaskLease, nowMs: number): Promise<RollupCounts> {
    const counts: RollupCounts = { results: 0, monitors: 0, rebuilt: 0 };
    // The minutes that this pass writes follow every change of a maintenance window before their end.
    await needs.maintenance.refresh();
    const spans = minoritySpans(await quarantines.spans());
    const passTo = (ms: number, isLast = true): Pass => ({
      ...{ nowMs, isLast },
      targetMs: floorTo(ms - SETTLE_MS, MINUTE_MS),
      quarantines: spans,
      fence: lease.fence,
    });
    const earlierMs = await store.earlierWatermarkMs();
    if (earlierMs !== null) await results.adoptReceived(earlierMs - OVERLAP_S * 1_000);
    /** Monitors whose last results were not in the last batch. Their uptimes are written at the end. */
    const behind = new Set<string>();
    let after = secondsBefore(await store.watermark(), OVERLAP_S);
    for (let isLast = false; !isLast; ) {
      const { arrived, count, last } = await readArrived(results, after);
      isLast = count < BATCH_RESULTS_MAX;
      counts.results += count;
      // The minutes of a batch with more behind it end with it, so that the next one is not late.
      const pass = isLast ? passTo(nowMs) : passTo(Math.min(nowMs, arrivalMs(last)), false);
      if (!(await rollAll(arrived, pass, lease, counts))) return counts;
      for (const id of arrived.keys()) {
        if (isLast) behind.delete(id);
        else behind.add(id);
      }
      if (count > 0) await store.saveWatermark(last, lease.fence);
      after = last;
    }
    const idle = await store.idleHeads(nowMs - IDLE_MS, IDLE_MONITORS_MAX);
    const withoutResults = new Map([...behind, ...idle].map((id): [string, RolledResult[]] => [id, []]));
    await rollAll(withoutResults, passTo(nowMs), lease, counts);
    logger.debug(counts, 'results rolled up');
    return counts;
  }

  /** Returns false when the job stops or has lost the lease; the next pass does the rest. */
  async function rollAll(
    arrived: ReadonlyMap<string, RolledResult[]>,
    pass: Pass,
    lease: TaskLease,
    counts: RollupCounts,
  ): Promise<boolean> {
    const ids = [...arrived.keys()];
    for (let at = 0; at < ids.length; at += CHUNK_MONITORS) {
      if (!(await lease.stillHeld())) return false;
      const chunk = ids.slice(at, at + CHUNK_MONITORS);
      const unknown = chunk.filter((id) => directory.lookup(id) === null);
      if (unknown.length > 0) await directory.refresh(unknown);
      const outcome = await rollChunk(chunk, arrived, pass);
      counts.monitors += outcome.monitors;
      counts.rebuilt += outcome.rebuilt;
    }
    return true;
  }

  return createLeasedPeriodicTask(needs, {
    name: 'rollup',
    firstMs: FIRST_RUN_MS,
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'rolling up results failed; the next pass repeats it',
    failureLevel: 'error',
    work: rollUp,
  });
}

/** Reads one batch of results in order of arrival, by monitor. */
async function readArrived(results: Pick<ResultsStore, 'arrived'>, after: Arrival) {
  const arrived = new Map<string, RolledResult[]>();
  const { count, last } = await results.arrived(after, BATCH_RESULTS_MAX, (result) => {
    const list = arrived.get(result.monitor_id);
    if (list === undefined) arrived.set(result.monitor_id, [rolledResult(result)]);
    else list.push(rolledResult(result));
  });
  return { arrived, count, last };
}
