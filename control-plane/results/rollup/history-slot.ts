import { NOTHING_OBSERVED, type ObservedTime } from '../uptime/uptime.js';
import type { RolledResult } from './rolled-result.js';

/** The checks of one location in one slot. Response times are those of successful checks only; 0 without one. */
export interface LocationStats {
  count: number;
  failed: number;
  sum_us: number;
  min_us: number;
  max_us: number;
}

/** One slot of time, a minute or an hour, of one monitor. Locations without a check in it are not in the map. */
export interface HistorySlot extends ObservedTime {
  locations: Map<string, LocationStats>;
}

export function emptySlot(): HistorySlot {
  return { ...NOTHING_OBSERVED, locations: new Map() };
}

/** Adds a check to a slot. */
export function addResult(slot: HistorySlot, result: RolledResult): void {
  let stats = slot.locations.get(result.location);
  if (stats === undefined) {
    stats = { count: 0, failed: 0, sum_us: 0, min_us: 0, max_us: 0 };
    slot.locations.set(result.location, stats);
  }
  stats.count++;
  if (!result.up) {
    stats.failed++;
    return;
  }
  const isFirst = stats.count - stats.failed === 1;
  stats.sum_us += result.response_us;
  stats.min_us = isFirst ? result.response_us : Math.min(stats.min_us, result.response_us);
  stats.max_us = Math.max(stats.max_us, result.response_us);
}

/** Adds a slot to one that covers a longer time. */
export function addSlot(into: HistorySlot, slot: HistorySlot): void {
  into.observed_ms += slot.observed_ms;
  into.up_ms += slot.up_ms;
  into.left_out_ms += slot.left_out_ms;
  for (const [location, part] of slot.locations) {
    const sum = into.locations.get(location);
    if (sum === undefined) {
      into.locations.set(location, { ...part });
      continue;
    }
    const hadGood = sum.count > sum.failed;
    const hasGood = part.count > part.failed;
    sum.count += part.count;
    sum.failed += part.failed;
    sum.sum_us += part.sum_us;
    if (hasGood) sum.min_us = hadGood ? Math.min(sum.min_us, part.min_us) : part.min_us;
    sum.max_us = Math.max(sum.max_us, part.max_us);
  }
}
