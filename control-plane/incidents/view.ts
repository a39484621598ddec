import { toIso } from '../../kernel/clock.js';
import { optionalIso } from './decision-view.js';
import type { IncidentDecision, IncidentDocument } from './documents.js';
import type { NotificationSent } from './incidents.js';
import type { IncidentKinds } from './kind.js';
import type { Incident, IncidentDetail } from './schema.js';

const MS_PER_SECOND = 1_000;

/** Returns the incident in the API's shape, as lists and webhooks show it. `sent` are its notifications. */
export function incidentView(
  kinds: IncidentKinds,
  incident: IncidentDocument,
  sent: readonly NotificationSent[],
): Incident {
  return {
    id: incident._id,
    kind: incident.kind,
    monitor_id: incident.monitor_id,
    monitor_name: incident.monitor_name,
    resource: incident.resource,
    status: incident.status,
    severity: incident.severity,
    message: incident.message,
    facts: kinds.of(incident).facts(incident),
    started_at: toIso(incident.started_at_ms),
    resolved_at: optionalIso(incident.resolved_at_ms),
    duration_seconds:
      incident.resolved_at_ms === null
        ? null
        : Math.max(0, Math.round((incident.resolved_at_ms - incident.started_at_ms) / MS_PER_SECOND)),
    resolution: incident.resolution,
    acknowledged_at: optionalIso(incident.acknowledged_at_ms),
    acknowledged_by: incident.acknowledged_by,
    acknowledged_link: incident.acknowledged_link ?? null,
    silenced_at: optionalIso(incident.silenced_at_ms),
    silenced_until: incident.status === 'silenced' ? optionalIso(incident.silenced_until_ms) : null,
    maintenance: maintenanceView(incident),
    dependency: dependencyView(incident),
    dependents: incident.dependents ?? null,
    runbook_url: incident.runbook_url,
    notifications_sent: sent.map(notificationView),
  };
}

function maintenanceView({ status, maintenance }: IncidentDocument): Incident['maintenance'] {
  if (status !== 'silenced' || maintenance == null) return null;
  return { id: maintenance.id, name: maintenance.name, until: toIso(maintenance.until_ms) };
}

function dependencyView({ status, dependency }: IncidentDocument): Incident['dependency'] {
  if (status === 'firing' || dependency == null) return null;
  const { state, monitor_id, monitor_name, incident_id, until_ms } = dependency;
  const until = status === 'silenced' ? optionalIso(until_ms) : null;
  return { state, monitor_id, monitor_name, incident_id, until };
}

/** Returns the incident with its history and its decisions. */
export function incidentDetailView(
  kinds: IncidentKinds,
  incident: IncidentDocument,
  sent: readonly NotificationSent[],
): IncidentDetail {
  const { decision } = kinds.of(incident);
  const view = (record: IncidentDecision | null, notifications: readonly NotificationSent[]) =>
    record === null || decision === null ? null : decision.view(record, notifications);
  return {
    ...incidentView(kinds, incident, sent),
    notifications_sent: sent.map((one) => ({ ...notificationView(one), ...attemptsView(one) })),
    events: incident.events.map((event) => ({
      at: toIso(event.at_ms),
      type: event.type,
      message: event.message,
      actor: event.actor,
      until: optionalIso(event.until_ms),
      link: event.link ?? null,
    })),
    decision: view(incident.decision, sent),
    recovery: view(incident.recovery, []),
  };
}

/** Returns a number that changes whenever the detail view changes. */
export function incidentVersion(incident: IncidentDocument, sent: readonly NotificationSent[]): number {
  return incident.updated_at_ms + sent.reduce((sum, { attempts }) => sum + 1 + attempts, 0);
}

function notificationView(sent: NotificationSent): Incident['notifications_sent'][number] {
  return {
    channel: sent.channel,
    channel_id: sent.channel_id,
    event: sent.event,
    sent_at: optionalIso(sent.sent_at_ms),
    status: sent.status,
    attempts: sent.attempts,
    error: sent.error,
  };
}

function attemptsView({ next_attempt_ms, latest_attempts }: NotificationSent) {
  return {
    next_attempt_at: optionalIso(next_attempt_ms),
    latest_attempts: latest_attempts.map(({ at_ms, status, response_status, error }) => {
      return { at: toIso(at_ms), status, response_status, error };
    }),
  };
}
