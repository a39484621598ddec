import type { TaggedMonitor, UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { MonitorLookup } from '../../monitors/monitors.js';
import type { RollupHead } from '../rollup/head.js';
import type { RolledResult } from '../rollup/rolled-result.js';
import { floorTo, HOUR_MS, MINUTE_MS } from '../rollup/slots.js';
import type { RollupStore } from '../rollup/store.js';
import type { SpansOfLocations } from './minority.js';
import { sumsOf, type UptimeSums, WINDOWS_MS } from './sums.js';
import { NOTHING_OBSERVED, type ObservedTime, observedSegments, observedTime, type UptimeRule } from './uptime.js';

const SPREAD_CHARS = 4;
const SPREAD_VALUES = 32 ** SPREAD_CHARS;
const CROCKFORD = '0123456789abcdefghjkmnpqrstvwxyz';

/**
 * Returns the rule of a monitor by its current settings. History that is rolled up again follows them too. As in
 * votes, at most a minority of the monitor's locations is quarantined.
 */
export function uptimeRule(
  monitor: Pick<MonitorLookup, 'locations' | 'confirmations'>,
  settings: TaggedMonitor & { paused_at_ms: number | null },
  pausesMs: readonly number[],
  quarantines: SpansOfLocations,
  maintenance: Pick<UptimeMaintenance, 'leftOut'>,
): UptimeRule {
  const { paused_at_ms: pausedAtMs } = settings;
  const pauses = pausedAtMs === null || pausesMs.includes(pausedAtMs) ? [...pausesMs] : [...pausesMs, pausedAtMs];
  return {
    assigned: monitor.locations.length,
    confirmations: monitor.confirmations,
    pauses_ms: pauses.sort((a, b) => a - b),
    quarantines: quarantines(monitor.locations),
    leftOut: (fromMs, toMs) => maintenance.leftOut(settings, fromMs, toMs),
  };
}

/** Reads the sums of all three windows from history up to the horizon of each head; returns them by monitor. */
export async function readSums(
  store: Pick<RollupStore, 'hourDocuments' | 'dayDocuments'>,
  wanted: readonly { monitorId: string; horizonMs: number }[],
): Promise<Map<string, UptimeSums>> {
  if (wanted.length === 0) return new Map();
  const base = wanted.map(({ monitorId, horizonMs }) => ({ monitorId, hourMs: floorTo(horizonMs, HOUR_MS) }));
  const [days, hours] = await Promise.all([
    store.dayDocuments(
      base.map(({ monitorId, hourMs }) => ({ monitorId, fromMs: hourMs - WINDOWS_MS.month, toMs: hourMs })),
    ),
    store.hourDocuments(base),
  ]);
  const hourSlots = hourSlotsByMonitor(days);
  const openHours = new Map(hours.map((hour) => [hour.monitor_id, hour]));
  return new Map(
    wanted.map(({ monitorId, horizonMs }) => {
      const rest = { ...NOTHING_OBSERVED };
      const hour = openHours.get(monitorId);
      for (const [index, { o, u, m = 0 }] of Object.entries(hour?.slots ?? {})) {
        if ((hour?.start_ms ?? 0) + Number(index) * MINUTE_MS >= horizonMs) continue;
        rest.observed_ms += o;
        rest.up_ms += u;
        rest.left_out_ms += m;
      }
      return [monitorId, sumsOf(hourSlots.get(monitorId) ?? new Map(), floorTo(horizonMs, HOUR_MS), rest)];
    }),
  );
}

function hourSlotsByMonitor(
  days: Awaited<ReturnType<RollupStore['dayDocuments']>>,
): Map<string, Map<number, ObservedTime>> {
  const byMonitor = new Map<string, Map<number, ObservedTime>>();
  for (const day of days) {
    const slots = byMonitor.get(day.monitor_id) ?? new Map<number, ObservedTime>();
    byMonitor.set(day.monitor_id, slots);
    for (const [index, { o, u, m = 0 }] of Object.entries(day.slots ?? {})) {
      slots.set(day.start_ms + Number(index) * HOUR_MS, { observed_ms: o, up_ms: u, left_out_ms: m });
    }
  }
  return byMonitor;
}

/** Returns the time observed between the horizon of a head and now. `results` are those of the head and newer ones. */
export function tailOf(
  head: Pick<RollupHead, 'horizon_ms'>,
  results: readonly RolledResult[],
  rule: UptimeRule,
  nowMs: number,
): ObservedTime {
  const segments = observedSegments(results, rule, head.horizon_ms, nowMs);
  return observedTime(segments, head.horizon_ms, nowMs);
}

/** Returns a fraction in [0, 1) that differs by monitor, from the random end of the id. */
export function spreadOf(monitorId: string): number {
  let value = 0;
  for (const char of monitorId.slice(-SPREAD_CHARS)) value = value * 32 + Math.max(0, CROCKFORD.indexOf(char));
  return value / SPREAD_VALUES;
}
