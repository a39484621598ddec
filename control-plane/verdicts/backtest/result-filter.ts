import type { ResultDocument } from '../../results/documents.js';
import { LATE_ARRIVAL_MS } from '../rule/votes.js';

/** A slot may be early by a tenth of the interval without counting as an extra one. */
const SLOT_TOLERANCE = 0.9;

/** Selects the results that would exist under other settings. */
export function createResultFilter(settings: { retries: number; interval_seconds: number }) {
  const lastSlotMs = new Map<string, number>();
  let accepted = 0;

  function isNeeded(result: ResultDocument, isUp: boolean): boolean {
    if (result.attempt > settings.retries) return false;
    if (result.received_at.getTime() - result.checked_at_ms - result.response_time_ms > LATE_ARRIVAL_MS) return false;
    // A failure or a user requested this check. Under these settings it counts only during a failure.
    if (result.reason !== 'schedule') return !isUp;
    const last = lastSlotMs.get(result.location);
    if (last === undefined || last === result.slot_ms) return true;
    return result.slot_ms - last >= SLOT_TOLERANCE * settings.interval_seconds * 1_000;
  }

  return {
    /** Whether the result counts. `isUp` is the simulated status before it. */
    accepts(result: ResultDocument, isUp: boolean): boolean {
      if (!isNeeded(result, isUp)) return false;
      accepted += 1;
      if (result.reason === 'schedule') lastSlotMs.set(result.location, result.slot_ms);
      return true;
    },
    accepted: () => accepted,
  };
}
