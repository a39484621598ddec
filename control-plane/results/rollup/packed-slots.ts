import type { FinalResult } from '../store.js';
import type { ObservedTime, SpokenResult } from '../uptime/uptime.js';

/** A result as the roll-up carries it: what it says for uptime, and its response time in whole microseconds. */
export interface RolledResult extends SpokenResult {
  response_us: number;
}

/** One location's checks in one slot of time. Response times are those of good checks only; 0 where none was. */
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

const RESULT_NUMBERS = 4;

export function emptySlot(): HistorySlot {
  return { observed_ms: 0, up_ms: 0, locations: new Map() };
}

export function rolledResult(result: FinalResult): RolledResult {
  return {
    location: result.location,
    slot_ms: result.slot_ms,
    attempt: result.attempt,
    covers_ms: result.covers_ms,
    up: result.up,
    response_us: Math.round(result.response_time_ms * 1_000),
  };
}

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

/** Adds a finer slot to a coarser one. */
export function addSlot(into: HistorySlot, slot: HistorySlot): void {
  into.observed_ms += slot.observed_ms;
  into.up_ms += slot.up_ms;
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

/**
 * A slot as it is stored: `o` observed_ms, `u` up_ms, `l` by location [count, failed, sum_us, min_us, max_us].
 * A monitor has half a million of them a year, so names are short and the numbers stand in rows.
 */
export interface PackedSlot {
  o: number;
  u: number;
  l: Record<string, number[]>;
}

export function packSlot(slot: HistorySlot): PackedSlot {
  const l: Record<string, number[]> = {};
  for (const [location, { count, failed, sum_us, min_us, max_us }] of slot.locations) {
    l[location] = [count, failed, sum_us, min_us, max_us];
  }
  return { o: slot.observed_ms, u: slot.up_ms, l };
}

export function unpackSlot(packed: PackedSlot): HistorySlot {
  const slot: HistorySlot = { observed_ms: packed.o, up_ms: packed.u, locations: new Map() };
  for (const [location, [count = 0, failed = 0, sum_us = 0, min_us = 0, max_us = 0]] of Object.entries(packed.l)) {
    slot.locations.set(location, { count, failed, sum_us, min_us, max_us });
  }
  return slot;
}

/** Results as stored, by location in order of slot: four numbers each, slots counted from a base so that they stay small. */
export type PackedResults = Record<string, number[]>;

export function packResults(results: readonly RolledResult[], baseMs: number): PackedResults {
  const packed: PackedResults = {};
  for (const result of results) {
    let row = packed[result.location];
    if (row === undefined) {
      row = [];
      packed[result.location] = row;
    }
    row.push(result.slot_ms - baseMs, result.attempt * 2 + (result.up ? 1 : 0), result.covers_ms, result.response_us);
  }
  return packed;
}

/** In order of slot and attempt. */
export function unpackResults(packed: PackedResults, baseMs: number): RolledResult[] {
  const results: RolledResult[] = [];
  for (const [location, row] of Object.entries(packed)) {
    for (let at = 0; at + RESULT_NUMBERS <= row.length; at += RESULT_NUMBERS) {
      const code = row[at + 1] ?? 0;
      results.push({
        location,
        slot_ms: baseMs + (row[at] ?? 0),
        attempt: code >> 1,
        covers_ms: row[at + 2] ?? 0,
        up: (code & 1) === 1,
        response_us: row[at + 3] ?? 0,
      });
    }
  }
  return results.sort(bySlot);
}

export function bySlot(a: RolledResult, b: RolledResult): number {
  return a.slot_ms - b.slot_ms || a.attempt - b.attempt || (a.location < b.location ? -1 : 1);
}
