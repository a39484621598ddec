import { toIso } from '../../kernel/clock.js';
import { settingsShown } from './audited.js';
import type { ChangedSchedule, WindowDocument } from './documents.js';
import { nextOccurrences, spansOf } from './schedule/occurrences.js';
import { type MaintenanceWindow, OCCURRENCES_SHOWN } from './schema.js';

/** Returns a window in the API's shape. */
export function windowView(window: WindowDocument, nowMs: number): MaintenanceWindow {
  const next = occurrencesShown(window, nowMs);
  const [current] = spansOf(window, nowMs, nowMs + 1);
  return {
    id: window._id,
    state: current !== undefined ? 'active' : next.length > 0 ? 'scheduled' : 'ended',
    active_until: current === undefined ? null : toIso(current.to_ms),
    ...settingsShown(window),
    next_occurrences: next,
    created_by: window.created_by,
    created_at: toIso(window.created_at_ms),
    updated_at: toIso(window.updated_at_ms),
  };
}

export function occurrencesShown(schedule: ChangedSchedule, nowMs: number): MaintenanceWindow['next_occurrences'] {
  return nextOccurrences(schedule, nowMs, OCCURRENCES_SHOWN).map(({ from_ms, to_ms }) => {
    return { starts_at: toIso(from_ms), ends_at: toIso(to_ms) };
  });
}
