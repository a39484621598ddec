import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

const HOUR_MS = 3_600_000;
const ids = createIds(systemClock, systemRandom);

/** Returns an incident that fires since an hour, of a monitor that does not exist. */
export function firingIncident(workspace_id: string, fields: Partial<IncidentDocument>): IncidentDocument {
  const [id, monitorId, nowMs] = [ids.next('inc'), ids.next('mon'), Date.now()];
  const name = fields.monitor_name ?? '';
  return {
    ...{ _id: id, workspace_id, kind: 'monitor', subject: `monitor:${id}`, open: true, monitor_id: monitorId },
    ...{ monitor_name: name, resource: { type: 'monitor', id: monitorId, name }, status: 'firing' },
    ...{ severity: 'critical', message: '', resolution: null, started_at_ms: nowMs - HOUR_MS, resolved_at_ms: null },
    ...{ acknowledged_at_ms: null, acknowledged_by: null, silenced_at_ms: null, decision: null, recovery: null },
    events: [{ at_ms: nowMs - HOUR_MS, type: 'opened', message: 'Incident opened.', actor: 'system' }],
    ...{ channels: null, runbook_url: null, updated_at_ms: nowMs },
    ...fields,
  };
}

/** Returns the incident as it is after it has ended by itself. */
export function over({ open: _open, ...rest }: IncidentDocument): IncidentDocument {
  return { ...rest, status: 'resolved', resolution: 'recovered', resolved_at_ms: Date.now() };
}
