import { addObserved, type ObservedSegment } from '../uptime/uptime.js';
import { addResult, emptySlot, type HistorySlot } from './history-slot.js';
import type { RolledResult } from './rolled-result.js';

export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;

/** Returns the slots of `slotMs` each within [fromMs, toMs), by start; only slots with a check or observed time. */
export function slotsOf(
  results: readonly RolledResult[],
  segments: readonly ObservedSegment[],
  slotMs: number,
  fromMs: number,
  toMs: number,
): Map<number, HistorySlot> {
  const slots = new Map<number, HistorySlot>();
  const slotAt = (startMs: number): HistorySlot => {
    let slot = slots.get(startMs);
    if (slot === undefined) {
      slot = emptySlot();
      slots.set(startMs, slot);
    }
    return slot;
  };
  for (const segment of segments) {
    const endMs = Math.min(segment.to_ms, toMs);
    for (let startMs = floorTo(Math.max(segment.from_ms, fromMs), slotMs); startMs < endMs; startMs += slotMs) {
      const length = Math.min(startMs + slotMs, endMs) - Math.max(startMs, segment.from_ms, fromMs);
      addObserved(slotAt(startMs), segment, length);
    }
  }
  for (const result of results) {
    if (result.slot_ms < fromMs || result.slot_ms >= toMs) continue;
    addResult(slotAt(floorTo(result.slot_ms, slotMs)), result);
  }
  return slots;
}

/** Returns the largest multiple of `stepMs` that is not after `ms`. */
export function floorTo(ms: number, stepMs: number): number {
  return ms - (ms % stepMs);
}
