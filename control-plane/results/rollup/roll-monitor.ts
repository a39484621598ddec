import type { UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { MonitorLookup } from '../../monitors/monitors.js';
import type { ResultsStore } from '../store.js';
import { uptimeRule } from '../uptime/figures.js';
import type { SpansOfLocations } from '../uptime/minority.js';
import type { UptimeSettings } from '../uptime/store.js';
import { sumsOf } from '../uptime/sums.js';
import { NOTHING_OBSERVED, type UptimeRule } from '../uptime/uptime.js';
import type { HistoryOwner } from './documents.js';
import { mergeIntoHead, type RollupHead } from './head.js';
import type { StoredHead } from './head-store.js';
import type { HourWrite } from './hours.js';
import { rebuildRollup } from './rebuild.js';
import type { RolledResult } from './rolled-result.js';
import { floorTo, HOUR_MS } from './slots.js';
import type { RollupStore } from './store.js';
import type { WriteHours } from './write-hours.js';

/** One pass of the roll-up over results in order of arrival. */
export interface Pass {
  nowMs: number;
  /** Full minute up to which slots are written. */
  targetMs: number;
  quarantines: SpansOfLocations;
  fence: number;
  /** All results that have arrived are read. Until then, an uptime would lack the rest. */
  isLast: boolean;
}

/** One monitor during a pass. */
export interface RollingMonitor {
  owner: HistoryOwner;
  monitor: MonitorLookup;
  settings: UptimeSettings;
  rule: UptimeRule;
  head: RollupHead;
  hours: HourWrite[];
  /** It was rolled up from raw results again. */
  rebuilt: boolean;
}

export type RollMonitor = (
  known: { monitor: MonitorLookup; settings: UptimeSettings; stored: StoredHead | undefined },
  incoming: readonly RolledResult[],
  pass: Pass,
) => Promise<RollingMonitor>;

/**
 * A younger monitor has had a head since its first result, because no head is removed so soon: without a head, all its
 * results are part of the pass. Clocks of control planes differ by less than this.
 */
const NEW_MS = 86_400_000;
/** Hours of a long rebuild that are kept in memory before they are written. */
const HOURS_AT_ONCE = 48;

/** Rolls one monitor forward: in memory when the results are recent, else from raw results. */
export function createRollMonitor(needs: {
  store: Pick<RollupStore, 'openingBefore' | 'opening'>;
  results: Pick<ResultsStore, 'finals'>;
  maintenance: UptimeMaintenance;
  writeHours: WriteHours;
}): RollMonitor {
  return async ({ monitor, settings, stored }, incoming, pass) => {
    const owner = { workspaceId: monitor.workspace_id, monitorId: monitor.id };
    const rule = uptimeRule(monitor, settings, stored?.pausesMs ?? [], pass.quarantines, needs.maintenance);
    const head = stored !== undefined && stored.head.through_ms > 0 ? stored.head : null;
    const base = { owner, monitor, settings, rule };
    const isNew = settings.created_at_ms > pass.nowMs - NEW_MS;
    const mergeable = head ?? (isNew ? headOfNewMonitor(incoming) : null);
    const merged = mergeable === null ? null : mergeIntoHead(mergeable, incoming, rule, pass.targetMs);
    if (merged !== null) return { ...base, ...merged, rebuilt: false };
    let hours: HourWrite[] = [];
    const write = async (hour: HourWrite) => {
      hours.push(hour);
      if (hours.length < HOURS_AT_ONCE) return;
      await needs.writeHours([{ owner, monitor, hours }], pass.fence);
      hours = [];
    };
    const input = { owner, head, incoming, rule, targetMs: pass.targetMs };
    const rebuilt = await rebuildRollup({ ...needs, write }, input);
    return { ...base, head: rebuilt, hours, rebuilt: true };
  };
}

/** Returns an empty head for a monitor whose first result is part of the pass; null without results. */
function headOfNewMonitor(incoming: readonly RolledResult[]): RollupHead | null {
  if (incoming.length === 0) return null;
  const first = incoming.reduce((least, result) => Math.min(least, result.slot_ms), Number.POSITIVE_INFINITY);
  const startMs = floorTo(first, HOUR_MS);
  return { through_ms: startMs, horizon_ms: startMs, recent: [], sums: sumsOf(new Map(), startMs, NOTHING_OBSERVED) };
}
