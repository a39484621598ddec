import type { UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { MonitorDirectory } from '../../monitors/monitors.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import { FUTURE_MS_MAX } from '../decode.js';
import type { QuarantineHistory } from '../results.js';
import type { HistoryOwner } from '../rollup/documents.js';
import type { RollupHead } from '../rollup/head.js';
import type { StoredHead } from '../rollup/head-store.js';
import { mergeResults } from '../rollup/merge-results.js';
import { rolledResult } from '../rollup/rolled-result.js';
import { floorTo, HOUR_MS } from '../rollup/slots.js';
import type { RollupStore } from '../rollup/store.js';
import type { ResultsStore } from '../store.js';
import { readSums, tailOf, uptimeRule } from './figures.js';
import { minoritySpans, type SpansOfLocations } from './minority.js';
import type { UptimeSettings, UptimeStore } from './store.js';
import { summaryOf } from './sums.js';

const PERIOD_MS = 3_000;
/** The first run reads the changes of the last ten minutes, which is longer than a control plane restart takes. */
const CHANGED_WITHIN_MS = 600_000;
const MONITORS_MAX = 200;
const PAUSES_MAX = 1_000;
/**
 * Changes are read again for this long, because the first result of a new monitor arrives within it. The roll-up
 * handles results that arrive later.
 */
const CHANGES_OVERLAP_MS = 60_000;
/**
 * A monitor whose uptime only a pass of the roll-up can compute is not read again for this long. It is well below
 * `CHANGES_OVERLAP_MS`, so that what changes meanwhile is found afterwards.
 */
const LEFT_MS = 30_000;
const LEASE_MS = 10_000;

/** A run resolves to the number of monitors whose uptime was written. */
type UptimeJob = LeasedPeriodicTask<number>;

interface UptimeJobNeeds extends LeasedPeriodicTaskNeeds {
  store: RollupStore;
  results: Pick<ResultsStore, 'finals'>;
  uptimes: UptimeStore;
  quarantines: QuarantineHistory;
  maintenance: UptimeMaintenance;
  directory: Pick<MonitorDirectory, 'lookup'>;
}

/**
 * Between the passes of the roll-up, updates the uptime of monitors whose status or settings have just changed or that
 * were checked for the first time, from the head of the roll-up and the raw results since then. It also stores pauses,
 * because resuming a monitor removes the pause from it.
 */
export function createUptimeJob(needs: UptimeJobNeeds): UptimeJob {
  const { store, results, uptimes, quarantines, maintenance, directory } = needs;
  // Only avoids writing the same pauses again.
  let notedPauses = new Set<string>();
  // Only avoids reading the same status changes again: otherwise, after 10,000 monitors are created, every run would
  // read all of them again for ten minutes.
  let changedSinceMs: number | null = null;
  // Otherwise, as many of them as one run handles would keep all others from it. By monitor, until when.
  const leftToRollup = new Map<string, number>();

  async function refreshChanged(lease: TaskLease, nowMs: number): Promise<number> {
    await notePauses(nowMs);
    for (const [id, untilMs] of leftToRollup) if (untilMs <= nowMs) leftToRollup.delete(id);
    const sinceMs = changedSinceMs ?? nowMs - CHANGED_WITHIN_MS;
    const ids = await uptimes.outdated(sinceMs, MONITORS_MAX, [...leftToRollup.keys()]);
    const { written, complete } = await refreshAll(ids, lease, nowMs);
    // While more monitors wait than one run handles, the next run reads from the same time.
    if (complete && ids.length < MONITORS_MAX) changedSinceMs = nowMs - CHANGES_OVERLAP_MS;
    return written;
  }

  /** The control plane that paused a monitor may have a clock that is minutes behind. */
  async function notePauses(nowMs: number): Promise<void> {
    const pauses = await uptimes.paused(nowMs - CHANGED_WITHIN_MS, PAUSES_MAX);
    const keyOf = (pause: (typeof pauses)[number]) => `${pause.monitorId}/${pause.pausedAtMs}`;
    await store.notePauses(
      pauses.filter((pause) => !notedPauses.has(keyOf(pause))),
      nowMs,
    );
    notedPauses = new Set(pauses.map(keyOf));
  }

  async function refreshAll(ids: string[], lease: TaskLease, nowMs: number) {
    if (ids.length === 0) return { written: 0, complete: true };
    const [heads, settings, spans] = await Promise.all([store.heads(ids), uptimes.settings(ids), quarantines.spans()]);
    const quarantined = minoritySpans(spans);
    let written = 0;
    for (const one of settings.values()) {
      if (!(await lease.stillHeld())) return { written, complete: false };
      if (await refresh(one, heads.get(one._id), quarantined, nowMs)) written++;
    }
    return { written, complete: true };
  }

  async function hasFinals({ workspaceId, monitorId }: HistoryOwner, beforeMs: number): Promise<boolean> {
    return (await results.finals(workspaceId, monitorId, 0, beforeMs, 1)).length > 0;
  }

  async function refresh(
    settings: UptimeSettings,
    stored: StoredHead | undefined,
    quarantined: SpansOfLocations,
    nowMs: number,
  ): Promise<boolean> {
    const monitor = directory.lookup(settings._id);
    if (monitor === null) return false;
    const owner = { workspaceId: settings.workspace_id, monitorId: settings._id };
    const rule = uptimeRule(monitor, settings, stored?.pausesMs ?? [], quarantined, maintenance);
    const head = stored !== undefined && stored.head.through_ms > 0 ? stored.head : headOfUnrolledMonitor(nowMs);
    // A part of a window must not be shown as the whole: the next pass of the roll-up computes all of it.
    if (head.through_ms === 0 && (await hasFinals(owner, head.horizon_ms))) {
      leftToRollup.set(owner.monitorId, nowMs + LEFT_MS);
      return false;
    }
    const raw = await results.finals(owner.workspaceId, owner.monitorId, head.horizon_ms, nowMs + FUTURE_MS_MAX);
    const horizonMs = head.horizon_ms;
    const sums = head.sums ?? (await readSums(store, [{ ...owner, horizonMs }])).get(owner.monitorId);
    if (sums === undefined) return false;
    const tail = tailOf(head, mergeResults(head.recent, raw.map(rolledResult)), rule, nowMs);
    await uptimes.save([{ ...owner, uptime: summaryOf(sums, tail, nowMs) }]);
    return true;
  }

  return createLeasedPeriodicTask(needs, {
    name: 'uptime',
    periodMs: PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'refreshing uptime failed, retrying',
    failureLevel: 'error',
    work: refreshChanged,
  });
}

/**
 * Returns the head of a monitor that was not rolled up yet: normally it is only minutes old, so all its results are newer.
 * It has older ones if its probes were disconnected for hours, or if the roll-up was.
 */
function headOfUnrolledMonitor(nowMs: number): RollupHead {
  return { through_ms: 0, horizon_ms: floorTo(nowMs, HOUR_MS) - HOUR_MS, recent: [], sums: null };
}
