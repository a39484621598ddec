import type { HistorySlot } from './history-slot.js';
import { bySlot, type RolledResult } from './rolled-result.js';

const RESULT_NUMBERS = 4;

/**
 * A slot as it is stored: `o` observed_ms, `u` up_ms, `m` left_out_ms (absent: 0), `l` by location [count, failed, sum_us, min_us, max_us].
 * A monitor has half a million slots a year, so names are short and the numbers are in arrays.
 */
export interface PackedSlot {
  o: number;
  u: number;
  m?: number;
  l: Record<string, number[]>;
}

export function packSlot(slot: HistorySlot): PackedSlot {
  const l: Record<string, number[]> = {};
  for (const [location, { count, failed, sum_us, min_us, max_us }] of slot.locations) {
    l[location] = [count, failed, sum_us, min_us, max_us];
  }
  const { observed_ms: o, up_ms: u, left_out_ms: m } = slot;
  return m === 0 ? { o, u, l } : { o, u, m, l };
}

export function unpackSlot(packed: PackedSlot): HistorySlot {
  const slot: HistorySlot = {
    observed_ms: packed.o,
    up_ms: packed.u,
    left_out_ms: packed.m ?? 0,
    locations: new Map(),
  };
  for (const [location, [count = 0, failed = 0, sum_us = 0, min_us = 0, max_us = 0]] of Object.entries(packed.l)) {
    slot.locations.set(location, { count, failed, sum_us, min_us, max_us });
  }
  return slot;
}

/** Results as stored, by location in order of slot: four numbers each. Slots are relative to a base, to keep them small. */
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

/** Returns the results in order of slot and attempt. */
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
