import type { UptimeMaintenance } from '../../maintenance/maintenance.js';
import type { MonitorDocument, UptimeSummary, UptimeWindow } from '../../monitors/documents.js';
import type { CoveringResult } from './covering.js';
import { WINDOWS_MS } from './sums.js';
import { NOTHING_OBSERVED, type ObservedTime, observedSegments, observedTime, uptimeWindow } from './uptime.js';

/** The fields of a monitor that complete its stored uptime. */
type ReadMonitor = Pick<
  MonitorDocument,
  | 'uptime'
  | 'live'
  | 'state'
  | 'locations'
  | 'confirmations'
  | 'interval_seconds'
  | 'paused_at_ms'
  | 'updated_at_ms'
  | '_id'
  | 'workspace_id'
  | 'tags'
  | 'tags_past'
>;

const MS_PER_SECOND = 1_000;

/**
 * Returns the uptime of a monitor as of now: the stored one and the time since then, as far as the newest results
 * observe it. A change of the status or of the settings is stored with the uptime within seconds, so the status has not
 * changed since. Null before the first observation.
 */
type UptimeAtRead = (monitor: ReadMonitor, nowMs: number) => UptimeSummary | null;

export function createUptimeAtRead(maintenance: Pick<UptimeMaintenance, 'leftOut'>): UptimeAtRead {
  return (monitor, nowMs) => {
    const { uptime } = monitor;
    if (uptime === null) return null;
    const elapsedMs = Math.max(0, nowMs - uptime.computed_at_ms);
    const tail = timeSince(maintenance, monitor, uptime.computed_at_ms, nowMs);
    const complete = (name: keyof typeof WINDOWS_MS) => completeWindow(uptime[name], WINDOWS_MS[name], tail, elapsedMs);
    return { ...uptime, day: complete('day'), week: complete('week'), month: complete('month') };
  };
}

/** Returns the time observed since the uptime was computed. */
function timeSince(
  maintenance: Pick<UptimeMaintenance, 'leftOut'>,
  monitor: ReadMonitor,
  computedAtMs: number,
  nowMs: number,
): ObservedTime {
  const untilMs = Math.min(nowMs, monitor.paused_at_ms ?? nowMs);
  // Results from before a change of the settings may be about another target, or about the time before a pause.
  const sinceMs = monitor.paused_at_ms === null ? Math.max(computedAtMs, monitor.updated_at_ms) : computedAtMs;
  if (untilMs <= sinceMs) return NOTHING_OBSERVED;
  const rule = {
    assigned: monitor.locations.length,
    confirmations: monitor.confirmations,
    ...{ pauses_ms: [], quarantines: new Map() },
    leftOut: (fromMs: number, toMs: number) => maintenance.leftOut(monitor, fromMs, toMs),
  };
  const segments = observedSegments(newestSince(monitor, sinceMs), rule, sinceMs, untilMs);
  const { observed_ms, left_out_ms } = observedTime(segments, sinceMs, untilMs);
  // The verdict decides what the locations do not agree on, such as a failure from a quarantined location.
  return { observed_ms, up_ms: monitor.state.status === 'up' ? observed_ms : 0, left_out_ms };
}

/** Returns the newest result of each location as if it had been the result since `sinceMs`. */
function newestSince({ live, locations, interval_seconds }: ReadMonitor, sinceMs: number): CoveringResult[] {
  return locations.flatMap((location) => {
    const result = live[location];
    if (result === undefined) return [];
    const covers_ms = result.slot_ms + interval_seconds * MS_PER_SECOND - sinceMs;
    return [{ location, slot_ms: sinceMs, attempt: 0, covers_ms, up: result.up }];
  });
}

function completeWindow(window: UptimeWindow, windowMs: number, tail: ObservedTime, elapsedMs: number): UptimeWindow {
  const { sums } = window;
  if (sums === undefined) return window;
  const observed_ms = Math.max(0, sums.observed_ms - sums.leaving.observed * elapsedMs) + tail.observed_ms;
  const up_ms = Math.max(0, sums.up_ms - sums.leaving.up * elapsedMs) + tail.up_ms;
  const left = Math.max(0, (sums.left_out_ms ?? 0) - (sums.leaving.left_out ?? 0) * elapsedMs);
  const left_out_ms = left + tail.left_out_ms;
  return uptimeWindow({ observed_ms, up_ms: Math.min(up_ms, observed_ms), left_out_ms }, windowMs);
}
