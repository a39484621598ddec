import type { Actor } from '../actor.js';
import type { AuditAction, AuditEvent } from '../audit/audit.js';
import type { IncidentDocument, UsedLink } from './documents.js';

/** Returns the audit event of a change of an incident. `incident` is the incident after the change. */
export function alertEvent(
  action: AuditAction,
  incident: IncidentDocument,
  more: Record<string, unknown> = {},
): AuditEvent {
  const { _id, monitor_id, monitor_name, resource, severity, resolution } = incident;
  return {
    action,
    resource: { type: 'alert', id: _id, name: monitor_name ?? resource.name },
    metadata: { monitor_id, severity, ...(resolution === null ? {} : { resolution }), ...more },
  };
}

/** Returns the link in a notification with which the actor acts; undefined for all others. */
export function usedLink({ link }: Actor): UsedLink | undefined {
  return link === undefined
    ? undefined
    : { channel_id: link.channelId, channel_name: link.channelName, person: link.person };
}
