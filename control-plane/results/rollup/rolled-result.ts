import type { FinalResult } from '../store.js';
import type { CoveringResult } from '../uptime/covering.js';

/** A result as the roll-up uses it, with its response time in whole microseconds. */
export interface RolledResult extends CoveringResult {
  response_us: number;
}

/** Returns the part of a stored result that the roll-up uses. */
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

/** Orders results by slot, then attempt, then location. */
export function bySlot(a: RolledResult, b: RolledResult): number {
  return a.slot_ms - b.slot_ms || a.attempt - b.attempt || (a.location < b.location ? -1 : 1);
}
