import type { IncidentDocument } from '../../incidents/documents.js';
import type { OpenIncident } from '../../incidents/incidents.js';
import type { MonitorDocument, OutageIncident } from '../../monitors/documents.js';
import { monitorSubject } from '../../monitors/monitors.js';
import type { TimelineEntry } from '../../timeline/timeline.js';
import type { IncidentMessages } from '../messages.js';
import type { Verdict } from '../rule/verdict.js';
import type { Evaluation } from './incident-effects.js';

/** Returns the incident to open for an outage. */
export function openingOf(messages: IncidentMessages, { monitor, verdict, effects }: Evaluation): OpenIncident {
  const nowMs = verdict.decision.evaluated_at_ms ?? 0;
  const firstFailedAtMs = verdict.decision.times.first_failed_at_ms ?? nowMs;
  const afterGrace = effects.ensure?.afterGrace === true;
  const outage = { name: monitor.name, decision: verdict.decision, firstFailedAtMs };
  return {
    workspaceId: monitor.workspace_id,
    kind: 'monitor',
    subject: monitorSubject(monitor._id),
    monitor: { id: monitor._id, name: monitor.name },
    resource: resourceOf(monitor),
    severity: verdict.severity,
    message: afterGrace ? messages.stillDown(outage) : messages.down(outage),
    // After a grace period, the time before it belongs to the incident that a user resolved.
    startedAtMs: afterGrace ? nowMs : firstFailedAtMs,
    decision: verdict.decision,
    channels: monitor.channels,
    runbookUrl: monitor.runbook_url,
    tags: monitor.tags,
    silencedBy: effects.ensure?.silencedBy ?? null,
    followsParents: true,
  };
}

/** Returns the sentence of an incident that stays open. */
export function downMessage(messages: IncidentMessages, { name }: MonitorDocument, { decision }: Verdict): string {
  return messages.down({ name, decision, firstFailedAtMs: decision.times.first_failed_at_ms ?? 0 });
}

/** Returns the line on the timeline for a change of status. */
export function statusChange({ monitor, verdict }: Evaluation): TimelineEntry[] {
  const { status } = verdict.next;
  if (status === monitor.state.status) return [];
  return [
    {
      workspaceId: monitor.workspace_id,
      atMs: verdict.next.changed_at_ms,
      type: 'monitor.status_changed',
      resource: resourceOf(monitor),
      message: `${monitor.name} is ${status}: ${verdict.decision.reason}.`,
      actor: 'system',
      metadata: { from: monitor.state.status, to: status },
    },
  ];
}

function resourceOf(monitor: MonitorDocument): { type: string; id: string; name: string } {
  return { type: 'monitor', id: monitor._id, name: monitor.name };
}

/** Returns the decision with the time at which the incident fires. */
export function withOpenedTime(decision: Verdict['decision']): Verdict['decision'] {
  return { ...decision, times: { ...decision.times, opened_at_ms: decision.evaluated_at_ms ?? null } };
}

/** Returns what a state stores of an incident that exists already. */
export function existingIncident(incident: IncidentDocument, monitor: MonitorDocument): OutageIncident {
  return {
    id: incident._id,
    severity: incident.severity === 'critical' ? 'critical' : 'warning',
    awaits_maintenance_end: incident.status === 'silenced' && incident.maintenance != null,
    from_version: monitor.live_from_version,
  };
}
