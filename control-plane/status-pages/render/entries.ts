import type { IncidentState, PageModel } from '../compile/model.js';
import type { Pen } from './incidents.js';
import { beginOf, endOf, outageTitle } from './said.js';

/** An incident in words, of people or of Picket itself. */
export interface WrittenIncident {
  id: string;
  title: string;
  state: IncidentState;
  components: readonly string[];
  startedMs: number;
  resolvedMs: number | null;
  /** The newest first. */
  updates: readonly { id: string; state: IncidentState; text: string; atMs: number; editedMs: number | null }[];
}

/** Returns all incidents of a page as text, those that last first. */
export function writtenIncidents({ outages, notices }: PageModel, { words, formats }: Pen): WrittenIncident[] {
  const ofPicket = outages.map((outage): WrittenIncident => {
    const { id, component, startedMs, resolvedMs } = outage;
    const text = beginOf(outage, words);
    const began = { id: `${id}-began`, state: 'investigating', text, atMs: startedMs, editedMs: null } as const;
    const base = { id, title: outageTitle(outage, words), components: [component], startedMs, resolvedMs };
    if (resolvedMs === null) return { ...base, state: 'investigating', updates: [began] };
    const ended = {
      id: `${id}-ended`,
      state: 'resolved',
      text: endOf(outage, formats.duration(resolvedMs - startedMs), words),
      atMs: resolvedMs,
      editedMs: null,
    } as const;
    return { ...base, state: 'resolved', updates: [ended, began] };
  });
  const rank = ({ resolvedMs }: WrittenIncident) => (resolvedMs === null ? 0 : 1);
  return [...notices, ...ofPicket].sort((a, b) => rank(a) - rank(b) || b.startedMs - a.startedMs);
}
