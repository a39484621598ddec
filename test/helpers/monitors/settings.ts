import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { newSettings } from '../../../control-plane/monitors/settings.js';
import type { CreateMonitor } from '../../../control-plane/monitors/settings-schema.js';
import { createTargetGuard } from '../../../kernel/target-guard.js';

/** Every location there is in these tests. */
export const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
/** Refuses private targets. */
export const guard = createTargetGuard({ allowPrivate: false });
/** What settings are judged by on the largest plan. */
export const rules = { plan: 'Enterprise' as const, locationCodes: CODES, guard };

/** What creating a monitor of this input comes to. */
export const created = (input: Partial<CreateMonitor>) =>
  newSettings({ name: 'Shop', url: 'https://example.com/', type: 'http', ...input }, rules);

export const MINUTE = 60_000;
/** When the monitors of `monitor` are looked at. */
export const NOW = Date.UTC(2026, 0, 31, 12);

/** A monitor at three locations, created ten minutes ago and never checked. */
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
