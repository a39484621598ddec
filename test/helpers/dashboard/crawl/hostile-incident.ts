import type { IncidentDocument } from '../../../../control-plane/incidents/documents.js';
import { createIds } from '../../../../control-plane/storage/ids.js';
import { systemClock } from '../../../../kernel/clock.js';
import { systemRandom } from '../../../../kernel/random.js';
import { ALL } from './hostile-names.js';

const HOUR_MS = 3_600_000;
const ids = createIds(systemClock, systemRandom);

/** Returns an incident of the monitor in which every text of somebody else is hostile. */
export function hostileIncident(
  workspace_id: string,
  { monitor, name, isOver = false }: { monitor: string; name: string; isOver?: boolean },
): IncidentDocument {
  const [_id, nowMs] = [ids.next('inc'), Date.now()];
  const event = { at_ms: nowMs - HOUR_MS, message: `${name}: ${ALL}` };
  return {
    ...{ _id, workspace_id, kind: 'monitor', subject: `monitor:${_id}`, monitor_id: monitor },
    ...(isOver ? {} : { open: true as const }),
    ...{ monitor_name: name, resource: { type: 'monitor', id: monitor, name } },
    ...{ status: isOver ? 'resolved' : 'firing', severity: 'critical', message: `${name} is down: ${ALL}` },
    ...{ resolution: isOver ? 'recovered' : null, started_at_ms: nowMs - HOUR_MS },
    ...{ resolved_at_ms: isOver ? nowMs : null, acknowledged_at_ms: nowMs, acknowledged_by: ALL },
    ...{ silenced_at_ms: null, decision: null, recovery: null, channels: null, updated_at_ms: nowMs },
    events: [
      { ...event, type: 'opened', actor: 'system' },
      { ...event, type: 'acknowledged', actor: ALL },
    ],
    runbook_url: `https://runbook.example/${'w'.repeat(300)}`,
  };
}
