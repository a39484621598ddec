import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { newSettings } from '../../../control-plane/monitors/settings/build.js';
import type { CreateMonitor } from '../../../control-plane/monitors/settings/schema.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';

/** The locations of these tests. */
export const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
/** Refuses private targets. */
export const guard = createTargetGuard({ allowPrivate: false });
/** The rules for settings with the largest plan. */
export const rules = { plan: 'Enterprise' as const, locationCodes: CODES, guard };

/** Returns the settings that this input creates. */
export const created = (input: Partial<CreateMonitor>) =>
  newSettings({ name: 'Shop', url: 'https://example.com/', type: 'http', ...input }, rules);

export const MINUTE = 60_000;
/** The current time for the monitors of `monitor`. */
export const NOW = Date.UTC(2026, 0, 31, 12);

/** Returns a monitor with three locations, created ten minutes ago and never checked. */
export function monitor(changes: Partial<MonitorDocument> = {}): MonitorDocument {
  return {
    _id: 'mon_1',
    workspace_id: 'ws_1',
    ...created({ locations: ['fra', 'nyc', 'sin'] }).settings,
    paused_at_ms: null,
    created_at_ms: NOW - 10 * MINUTE,
    updated_at_ms: NOW - 10 * MINUTE,
    version: 1,
    live_from_version: 1,
    last_checked_at_ms: null,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: NOW - 5 * MINUTE,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
    live: {},
    good: {},
    certificate: null,
    uptime: null,
    resolve_grace_until_ms: null,
    ...changes,
  };
}
