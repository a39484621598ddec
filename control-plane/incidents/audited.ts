import type { AuditAction, AuditEvent } from '../audit/audit.js';
import type { IncidentDocument } from './documents.js';

/** Returns the audit event of a change of an incident. `incident` is the incident after the change. */
export function alertEvent(action: AuditAction, incident: IncidentDocument): AuditEvent {
  const { _id, monitor_id, monitor_name, resource, severity, resolution } = incident;
  return {
    action,
    resource: { type: 'alert', id: _id, name: monitor_name ?? resource.name },
    metadata: { monitor_id, severity, ...(resolution === null ? {} : { resolution }) },
  };
}
