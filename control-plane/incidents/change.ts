import type { IncidentDocument, IncidentEvent } from './documents.js';

/** The actor of changes that Picket makes by itself. */
export const SYSTEM = 'system';

/** The fields that a change of an incident may set. */
export type IncidentChange = Partial<
  Pick<
    IncidentDocument,
    | 'status'
    | 'severity'
    | 'message'
    | 'resolution'
    | 'resolved_at_ms'
    | 'acknowledged_at_ms'
    | 'acknowledged_by'
    | 'acknowledged_link'
    | 'silenced_at_ms'
    | 'silenced_until_ms'
    | 'silenced_by'
    | 'maintenance'
    | 'dependency'
    | 'silence_links'
    | 'decision'
    | 'recovery'
    | 'channels'
  >
>;

/** What is set when a silence ends. */
export const FIRING = {
  status: 'firing',
  ...{ silenced_at_ms: null, silenced_until_ms: null },
  ...{ maintenance: null, dependency: null },
} as const satisfies IncidentChange;

/** Maximum number of events in a history, more than an incident of many weeks has. The oldest events are dropped. */
export const EVENTS_MAX = 500;

/** Returns the incident as the store writes it for the change. Pure. */
export function changedIncident(
  incident: IncidentDocument,
  change: IncidentChange,
  event: IncidentEvent,
): IncidentDocument {
  const { open, ...rest } = incident;
  const stillOpen = change.status === 'resolved' || open === undefined ? {} : { open };
  const events = [...incident.events, event].slice(-EVENTS_MAX);
  return { ...rest, ...change, ...stillOpen, events, updated_at_ms: event.at_ms };
}
