import type { UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { UptimeSummary } from '../../monitors/documents.js';
import type { MonitorDirectory } from '../../monitors/monitors.js';
import type { ResultsStore } from '../store.js';
import { readSums, spreadOf, tailOf } from '../uptime/figures.js';
import type { UptimeStore } from '../uptime/store.js';
import { summaryOf, sumsAreDue } from '../uptime/sums.js';
import { createRollMonitor, type Pass, type RollingMonitor } from './roll-monitor.js';
import type { RolledResult } from './rolled-result.js';
import type { RollupStore } from './store.js';
import { createWriteHours } from './write-hours.js';

interface RollChunkNeeds {
  store: RollupStore;
  results: Pick<ResultsStore, 'finals'>;
  uptimes: UptimeStore;
  maintenance: UptimeMaintenance;
  directory: Pick<MonitorDirectory, 'lookup'>;
}

type RollChunk = (
  monitorIds: readonly string[],
  arrived: ReadonlyMap<string, RolledResult[]>,
  pass: Pass,
) => Promise<{ monitors: number; rebuilt: number }>;

/** Rolls some monitors forward. Writes the slots first, then the uptimes of the last pass, and the heads last. */
export function createRollChunk({ store, results, uptimes, maintenance, directory }: RollChunkNeeds): RollChunk {
  const writeHours = createWriteHours(store);
  const rollMonitor = createRollMonitor({ store, results, maintenance, writeHours });

  return async (monitorIds, arrived, pass) => {
    const [heads, settings] = await Promise.all([store.heads(monitorIds), uptimes.settings(monitorIds)]);
    const deleted = monitorIds.filter((id) => !settings.has(id) && heads.has(id));
    if (deleted.length > 0) await store.removeHeads(deleted);

    const rolled: RollingMonitor[] = [];
    for (const id of monitorIds) {
      const monitor = directory.lookup(id);
      const current = settings.get(id);
      if (monitor === null || current === undefined) continue;
      rolled.push(
        await rollMonitor({ monitor, settings: current, stored: heads.get(id) }, arrived.get(id) ?? [], pass),
      );
    }
    await writeHours(rolled, pass.fence);
    await renewSums(store, rolled, pass.nowMs);
    if (pass.isLast) await uptimes.save(changedUptimes(rolled, pass.nowMs));
    await store.saveHeads(
      rolled.map(({ owner, head }) => ({ ...owner, head })),
      pass.nowMs,
      pass.fence,
    );
    return { monitors: rolled.length, rebuilt: rolled.filter((one) => one.rebuilt).length };
  };
}

/** Reads the sums that are due to be read again. */
async function renewSums(
  store: Pick<RollupStore, 'hourDocuments' | 'dayDocuments'>,
  rolled: readonly RollingMonitor[],
  nowMs: number,
): Promise<void> {
  const due = rolled.filter(({ owner, head }) => sumsAreDue(head.sums, nowMs, spreadOf(owner.monitorId)));
  const sums = await readSums(
    store,
    due.map(({ owner, head }) => ({ monitorId: owner.monitorId, horizonMs: head.horizon_ms })),
  );
  for (const one of due) one.head = { ...one.head, sums: sums.get(one.owner.monitorId) ?? one.head.sums };
}

function changedUptimes(rolled: readonly RollingMonitor[], nowMs: number): Parameters<UptimeStore['save']>[0] {
  return rolled.flatMap(({ owner, head, rule, settings }) => {
    if (head.sums === null) return [];
    const uptime = summaryOf(head.sums, tailOf(head, head.recent, rule, nowMs), nowMs);
    return isWorthWriting(settings.uptime, uptime) ? [{ ...owner, uptime }] : [];
  });
}

/** A small growth of the coverage, below one hundredth of itself, is written at most this often. */
const DRIFT_MS_MAX = 300_000;

/** Whether an uptime differs enough to be written. A coverage that only grows slowly waits for some minutes. */
function isWorthWriting(before: UptimeSummary | null, after: UptimeSummary): boolean {
  if (before === null) return true;
  const isDriftDue = after.computed_at_ms - before.computed_at_ms >= DRIFT_MS_MAX;
  return (['day', 'week', 'month'] as const).some((name) => {
    if (before[name].uptime !== after[name].uptime) return true;
    if (isDriftDue && (before[name].left_out_ms ?? 0) !== after[name].left_out_ms) return true;
    const driftMin = isDriftDue ? 0 : before[name].coverage / 100;
    return Math.abs(after[name].coverage - before[name].coverage) > driftMin;
  });
}
