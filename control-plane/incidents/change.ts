import type { IncidentDocument, IncidentEvent } from './documents.js';

/** Who acts where no person does. */
export const SYSTEM = 'system';

/** Members that a change writes; the event goes to the end of the incident's history. */
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
    | 'silenced_at_ms'
    | 'decision'
    | 'recovery'
    | 'channels'
  >
>;

/** More than an incident of many weeks has; beyond it the oldest lines go. */
export const EVENTS_MAX = 500;

/** The incident as the store leaves it after the change. Pure. */
export function changedIncident(
  incident: IncidentDocument,
  change: IncidentChange,
  event: IncidentEvent,
): IncidentDocument {
  const { open, ...rest } = incident;
  const stays = change.status === 'resolved' || open === undefined ? {} : { open };
  const events = [...incident.events, event].slice(-EVENTS_MAX);
  return { ...rest, ...change, ...stays, events, updated_at_ms: event.at_ms };
}
