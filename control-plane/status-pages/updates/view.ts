import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { IncidentUpdate, PageIncidentDocument } from './documents.js';
import type { PageIncident } from './schema.js';

/** Returns an incident as the API shows it to its workspace. */
export function pageIncidentView(incident: PageIncidentDocument): PageIncident {
  const { title, state, impact, component_ids, updates } = incident;
  return {
    id: incident._id,
    title,
    state,
    impact,
    component_ids,
    updates: [...updates].reverse().map(updateView),
    started_at: toIso(incident.started_at_ms),
    resolved_at: isoOrNull(incident.resolved_at_ms),
    created_by: incident.created_by,
    updated_at: toIso(incident.updated_at_ms),
  };
}

function updateView({ id, state, text, at_ms, author, edited_at_ms, earlier }: IncidentUpdate) {
  return {
    id,
    state,
    text,
    at: toIso(at_ms),
    author,
    edited_at: isoOrNull(edited_at_ms),
    earlier: earlier.map(({ until_ms, ...rest }) => ({ text: rest.text, until: toIso(until_ms), author: rest.author })),
  };
}
