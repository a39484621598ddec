import type { UptimeMaintenance } from '../maintenance/maintenance.js';
import { bucketMs, type Resolution } from '../retention/resolution.js';
import type { MonitorHours, MonitorOfHistory, QuarantineHistory } from './results.js';
import type { HistoryOwner } from './rollup/documents.js';
import type { RollupHead } from './rollup/head.js';
import { addSlot, emptySlot, type HistorySlot } from './rollup/history-slot.js';
import { mergeResults } from './rollup/merge-results.js';
import { type RolledResult, rolledResult } from './rollup/rolled-result.js';
import { floorTo, HOUR_MS, MINUTE_MS, slotsOf } from './rollup/slots.js';
import type { RollupStore } from './rollup/store.js';
import { type MetricName, type MetricSeries, seriesOf } from './series.js';
import type { ResultsStore } from './store.js';
import { uptimeRule } from './uptime/figures.js';
import { minoritySpans } from './uptime/minority.js';
import { addObserved, observedSegments, type UptimeRule } from './uptime/uptime.js';

/**
 * Results that one request reads at resolution `raw`: somewhat more than the points that may be requested, because checks
 * outside the schedule are results too. The points are estimated from the current interval of the monitor, so a monitor
 * that had a shorter one can have any number of results.
 */
export const RAW_RESULTS_MAX = 60_000;

export interface MetricsRequest {
  monitor: MonitorOfHistory;
  fromMs: number;
  /** Not after now. */
  toMs: number;
  resolution: Resolution;
  /** Whether a series was requested; `location` is null for the one over all locations. */
  isRequested(metric: MetricName, location: string | null): boolean;
}

/** Resolves to null for resolution `raw` when there are more than `RAW_RESULTS_MAX` results. */
export type MetricsReader = (request: MetricsRequest) => Promise<MetricSeries | null>;

interface MetricsNeeds {
  store: Pick<RollupStore, 'heads' | 'minutes' | 'hours'>;
  results: Pick<ResultsStore, 'finals'>;
  quarantines: QuarantineHistory;
  maintenance: Pick<UptimeMaintenance, 'leftOut'>;
}

/** The part of a monitor's history that one request reads. */
interface Reading {
  owner: HistoryOwner;
  fromMs: number;
  toMs: number;
  rule: UptimeRule;
  /** null when the monitor was not rolled up yet. */
  head: RollupHead | null;
  intervalMs: number;
}

/** Reads the slots of one monitor; null for resolution `raw` when there are more than `RAW_RESULTS_MAX` results. */
export type SlotsReader = (
  request: Omit<MetricsRequest, 'isRequested'>,
) => Promise<ReadonlyMap<number, HistorySlot> | null>;

/** Returns the reader of the history of monitors as series. */
export function createMetricsReader(readSlots: SlotsReader): MetricsReader {
  return async (request) => {
    const slots = await readSlots(request);
    const { monitor, isRequested } = request;
    return slots === null ? null : seriesOf(slots, { locations: monitor.locations, isRequested });
  };
}

/** Returns the reader of the history of monitors by the hour. */
export function createHoursReader(readSlots: SlotsReader): MonitorHours {
  return async (monitor, fromMs, toMs) => {
    const slots = (await readSlots({ monitor, fromMs, toMs, resolution: '1h' })) ?? new Map<number, HistorySlot>();
    return [...slots]
      .sort(([a], [b]) => a - b)
      .map(([startMs, { observed_ms, up_ms, left_out_ms, locations }]) => {
        const times = { observedMs: observed_ms, upMs: up_ms, leftOutMs: left_out_ms };
        const hour = { startMs, ...times, good: 0, failed: 0, responseUs: 0 };
        for (const { count, failed, sum_us } of locations.values()) {
          hour.good += count - failed;
          hour.failed += failed;
          hour.responseUs += sum_us;
        }
        return hour;
      });
  };
}

/** Reads the history of one monitor from slots and from raw results that are not rolled up yet. */
export function createSlotsReader({ store, results, quarantines, maintenance }: MetricsNeeds): SlotsReader {
  /** Returns one slot per result. Results of the same moment, as of a manual check, share one. */
  async function rawSlots({
    owner,
    fromMs,
    toMs,
    rule,
    intervalMs,
  }: Reading): Promise<Map<number, HistorySlot> | null> {
    // Results from before `fromMs` still cover their locations at `fromMs`: the first points need them.
    const found = await finals(owner, fromMs - intervalMs, toMs, RAW_RESULTS_MAX + 1);
    if (found.length > RAW_RESULTS_MAX) return null;
    const slots = slotsOf(found, [], 1, fromMs, toMs);
    observe(slots, observedSegments(found, rule, fromMs, toMs));
    return slots;
  }

  /** Returns the slots of the requested resolution. */
  async function bucketSlots(reading: Reading, stepMs: number): Promise<Map<number, HistorySlot>> {
    const { owner, toMs, head } = reading;
    const fromMs = floorTo(reading.fromMs, stepMs);
    const throughMs = head?.through_ms ?? 0;
    // The current hour has no hour slot, so it is composed of its minutes.
    const minutesFromMs = stepMs < HOUR_MS ? fromMs : Math.max(fromMs, floorTo(throughMs, HOUR_MS));
    const buckets = new Map<number, HistorySlot>();
    if (minutesFromMs > fromMs)
      addAll(buckets, await store.hours(owner, fromMs, Math.min(toMs, minutesFromMs)), stepMs);
    const writtenMs = Math.min(toMs, throughMs);
    if (writtenMs > minutesFromMs) addAll(buckets, await store.minutes(owner, minutesFromMs, writtenMs), stepMs);
    const tailMs = Math.max(minutesFromMs, throughMs);
    if (toMs > tailMs) addAll(buckets, await unwrittenMinutes(reading, tailMs), stepMs);
    return buckets;
  }

  /** Returns the minutes that are not rolled up, from the results in the head and the raw results since then. */
  async function unwrittenMinutes({ owner, toMs, rule, head, intervalMs }: Reading, fromMs: number) {
    const raw = await finals(owner, head?.horizon_ms ?? fromMs - intervalMs, toMs);
    const found = mergeResults(head?.recent ?? [], raw);
    return slotsOf(found, observedSegments(found, rule, fromMs, toMs), MINUTE_MS, fromMs, toMs);
  }

  async function finals(owner: HistoryOwner, fromMs: number, toMs: number, rowsMax?: number): Promise<RolledResult[]> {
    return (await results.finals(owner.workspaceId, owner.monitorId, fromMs, toMs, rowsMax)).map(rolledResult);
  }

  return async (request) => {
    const { monitor, fromMs, toMs } = request;
    const [heads, spans] = await Promise.all([store.heads([monitor._id]), quarantines.spans()]);
    const stored = heads.get(monitor._id);
    const reading: Reading = {
      owner: { workspaceId: monitor.workspace_id, monitorId: monitor._id },
      fromMs,
      toMs,
      rule: uptimeRule(monitor, monitor, stored?.pausesMs ?? [], minoritySpans(spans), maintenance),
      head: stored !== undefined && stored.head.through_ms > 0 ? stored.head : null,
      intervalMs: monitor.interval_seconds * 1_000,
    };
    const stepMs = bucketMs(request.resolution);
    return stepMs === null ? rawSlots(reading) : bucketSlots(reading, stepMs);
  };
}

function addAll(buckets: Map<number, HistorySlot>, slots: ReadonlyMap<number, HistorySlot>, stepMs: number): void {
  for (const [startMs, slot] of slots) {
    const bucketStartMs = floorTo(startMs, stepMs);
    const bucket = buckets.get(bucketStartMs) ?? emptySlot();
    buckets.set(bucketStartMs, bucket);
    addSlot(bucket, slot);
  }
}

/** Says of each slot whether the monitor was observed, and up, when it began. */
function observe(slots: ReadonlyMap<number, HistorySlot>, segments: ReturnType<typeof observedSegments>): void {
  let at = 0;
  for (const slotMs of [...slots.keys()].sort((a, b) => a - b)) {
    const slot = slots.get(slotMs);
    while (at < segments.length && (segments[at]?.to_ms ?? 0) <= slotMs) at++;
    const segment = segments[at];
    if (slot === undefined || segment === undefined || segment.from_ms > slotMs) continue;
    addObserved(slot, segment, 1);
  }
}
