import { toIso } from '../../kernel/clock.js';
import type { MonitorDocument } from '../monitors/documents.js';
import { bucketMs, type Resolution } from '../retention/resolution.js';
import type { QuarantineStore } from '../verdicts/locations/quarantine-store.js';
import {
  addSlot,
  emptySlot,
  type HistorySlot,
  type LocationStats,
  type RolledResult,
  rolledResult,
} from './rollup/packed-slots.js';
import { floorTo, HOUR_MS, MINUTE_MS, type RollupHead, slotsOf } from './rollup/rollup.js';
import type { HistoryOwner, RollupStore } from './rollup/store.js';
import type { ResultsStore } from './store.js';
import { mergeResults, uptimeRule } from './uptime/figures.js';
import { observedSegments, percentUp, type UptimeRule } from './uptime/uptime.js';

export const METRIC_NAMES = ['response_time_ms', 'uptime'] as const;
export type MetricName = (typeof METRIC_NAMES)[number];

export interface MetricsRequest {
  monitor: Pick<
    MonitorDocument,
    '_id' | 'workspace_id' | 'locations' | 'confirmations' | 'paused_at_ms' | 'interval_seconds'
  >;
  fromMs: number;
  /** Not after now. */
  toMs: number;
  resolution: Resolution;
  /** Whether a series was asked for; `location` null is the one over all locations. */
  wants(metric: MetricName, location: string | null): boolean;
}

interface Point {
  t: string;
  v: number;
}
export type MetricSeries = Record<string, Point[]>;
export type MetricsReader = (request: MetricsRequest) => Promise<MetricSeries>;

interface MetricsDependencies {
  store: Pick<RollupStore, 'heads' | 'minutes' | 'hours'>;
  results: Pick<ResultsStore, 'finals'>;
  quarantines: Pick<QuarantineStore, 'voidSpans'>;
}

/** A monitor's history as far as one request reads it. */
interface Reading {
  owner: HistoryOwner;
  fromMs: number;
  toMs: number;
  rule: UptimeRule;
  /** null when no pass of the roll-up has met the monitor yet. */
  head: RollupHead | null;
  intervalMs: number;
}

/** Reads the history of one monitor as series: from slots, and from raw results where no slot is written yet. */
export function createMetricsReader({ store, results, quarantines }: MetricsDependencies): MetricsReader {
  /** Each result is a slot of its own; results of one instant, as of a check by hand, share one. */
  async function rawSlots({ owner, fromMs, toMs, rule, intervalMs }: Reading): Promise<Map<number, HistorySlot>> {
    // What was said before `fromMs` still speaks at it; without it the first points would be judged by too few.
    const found = await finals(owner, fromMs - intervalMs, toMs);
    const slots = slotsOf(found, [], 1, fromMs, toMs);
    const segments = observedSegments(found, rule, fromMs, toMs);
    let at = 0;
    for (const slotMs of [...slots.keys()].sort((a, b) => a - b)) {
      const slot = slots.get(slotMs);
      while (at < segments.length && (segments[at]?.to_ms ?? 0) <= slotMs) at++;
      const segment = segments[at];
      if (slot === undefined || segment === undefined || segment.from_ms > slotMs) continue;
      slot.observed_ms = 1;
      slot.up_ms = segment.up ? 1 : 0;
    }
    return slots;
  }

  async function bucketSlots(reading: Reading, stepMs: number): Promise<Map<number, HistorySlot>> {
    const { owner, toMs, head } = reading;
    const fromMs = floorTo(reading.fromMs, stepMs);
    const throughMs = head?.through_ms ?? 0;
    // The hour that is not over yet has no hour slot: it is put together from its minutes.
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

  /** From what the head carries and the raw results since. */
  async function unwrittenMinutes({ owner, toMs, rule, head, intervalMs }: Reading, fromMs: number) {
    const raw = await finals(owner, head?.horizon_ms ?? fromMs - intervalMs, toMs);
    const found = mergeResults(head?.recent ?? [], raw);
    return slotsOf(found, observedSegments(found, rule, fromMs, toMs), MINUTE_MS, fromMs, toMs);
  }

  async function finals(owner: HistoryOwner, fromMs: number, toMs: number): Promise<RolledResult[]> {
    return (await results.finals(owner.workspaceId, owner.monitorId, fromMs, toMs)).map(rolledResult);
  }

  return async (request) => {
    const { monitor, fromMs, toMs } = request;
    const [heads, voids] = await Promise.all([store.heads([monitor._id]), quarantines.voidSpans()]);
    const stored = heads.get(monitor._id);
    const reading: Reading = {
      owner: { workspaceId: monitor.workspace_id, monitorId: monitor._id },
      fromMs,
      toMs,
      rule: uptimeRule(monitor, stored?.pausesMs ?? [], monitor.paused_at_ms, voids),
      head: stored !== undefined && stored.head.through_ms > 0 ? stored.head : null,
      intervalMs: monitor.interval_seconds * 1_000,
    };
    const stepMs = bucketMs(request.resolution);
    const slots = stepMs === null ? await rawSlots(reading) : await bucketSlots(reading, stepMs);
    return seriesOf(slots, request);
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

/** The series of assigned locations are there even when empty, so that a client can tell "no data" from "no such". */
function seriesOf(slots: ReadonlyMap<number, HistorySlot>, { monitor, wants }: MetricsRequest): MetricSeries {
  const series: MetricSeries = {};
  const open = (metric: MetricName, location: string | null) => {
    if (wants(metric, location)) series[location === null ? metric : `${metric}:${location}`] ??= [];
  };
  const add = (metric: MetricName, location: string | null, startMs: number, v: number | null) => {
    if (v === null || !wants(metric, location)) return;
    open(metric, location);
    series[location === null ? metric : `${metric}:${location}`]?.push({ t: toIso(startMs), v });
  };
  for (const metric of METRIC_NAMES) {
    open(metric, null);
    for (const location of monitor.locations) open(metric, location);
  }
  for (const [startMs, slot] of [...slots].sort(([a], [b]) => a - b)) {
    add('response_time_ms', null, startMs, averageMs([...slot.locations.values()]));
    add('uptime', null, startMs, percentUp(slot));
    for (const [location, stats] of slot.locations) {
      add('response_time_ms', location, startMs, averageMs([stats]));
      const good = stats.count - stats.failed;
      add('uptime', location, startMs, percentUp({ observed_ms: stats.count, up_ms: good }));
    }
  }
  return series;
}

/** Of the good checks; null where none was. */
function averageMs(stats: readonly LocationStats[]): number | null {
  let sum_us = 0;
  let good = 0;
  for (const one of stats) {
    sum_us += one.sum_us;
    good += one.count - one.failed;
  }
  return good === 0 ? null : Math.round(sum_us / good) / 1_000;
}
