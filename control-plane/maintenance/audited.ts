import { isoOrNull, toIso } from '../../kernel/clock.js';
import type { AuditAction, AuditEvent } from '../audit/audit.js';
import { changesOf } from '../audit/changes.js';
import type { Recurrence, WindowDocument, WindowSettings } from './documents.js';

/** Returns the audit event of a change of a window. */
export function audited(
  action: AuditAction,
  { _id, name }: WindowDocument,
  metadata: Record<string, unknown> = {},
): AuditEvent {
  return { action, resource: { type: 'maintenance_window', id: _id, name }, metadata };
}

/** Returns the settings in the API's shape. */
export function settingsShown({ name, starts_at_ms, ends_at_ms, ...rest }: WindowSettings) {
  const { recurrence, everything, monitor_ids, server_ids, tags, counts_in_uptime = true } = rest;
  return {
    name,
    starts_at: toIso(starts_at_ms),
    ends_at: isoOrNull(ends_at_ms),
    recurrence: recurrence === null ? null : recurrenceShown(recurrence),
    everything,
    monitor_ids,
    server_ids,
    tags,
    counts_in_uptime,
  };
}

function recurrenceShown({ cron, rrule = null, time_zone, duration_minutes }: Recurrence) {
  return { cron, rrule, time_zone, duration_minutes };
}

/** Returns the changed settings for the audit log. */
export function settingsChanges(before: WindowSettings, after: WindowSettings) {
  return changesOf(settingsShown(before), settingsShown(after));
}
