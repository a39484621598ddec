import type { IncidentState, PageModel } from '../compile/model.js';
import { endOf, type Pen } from './incidents.js';

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
  const ofPicket = outages.map(({ id, component, startedMs, resolvedMs, recovered }): WrittenIncident => {
    const began = {
      id: `${id}-began`,
      state: 'investigating',
      text: words.outageBegan(component),
      atMs: startedMs,
    } as const;
    const updates = [{ ...began, editedMs: null }];
    const base = { id, title: words.outage(component), components: [component], startedMs, resolvedMs };
    if (resolvedMs === null) return { ...base, state: 'investigating', updates };
    const text = endOf({ component, recovered }, formats.duration(resolvedMs - startedMs), words);
    const ended = { id: `${id}-ended`, state: 'resolved', text, atMs: resolvedMs, editedMs: null } as const;
    return { ...base, title: words.outageOver(component), state: 'resolved', updates: [ended, ...updates] };
  });
  const rank = ({ resolvedMs }: WrittenIncident) => (resolvedMs === null ? 0 : 1);
  return [...notices, ...ofPicket].sort((a, b) => rank(a) - rank(b) || b.startedMs - a.startedMs);
}
