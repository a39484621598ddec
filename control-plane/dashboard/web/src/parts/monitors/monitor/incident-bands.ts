import type { Incident } from '../../../api/types.ts';
import type { ChartBand } from '../../../components/chart/bands.ts';
import { plainText } from '../../../texts/said.ts';
import { causeSentence } from '../../incidents/cause-sentence.ts';

/** Returns the outages among the incidents as bands of a chart. Pure. */
export function bandsOf(incidents: readonly Incident[], nowMs: number): ChartBand[] {
  return incidents
    .filter(({ kind }) => kind === 'monitor')
    .map((incident) => ({
      fromMs: Date.parse(incident.started_at),
      toMs: incident.resolved_at === null ? nowMs : Date.parse(incident.resolved_at),
      kind: 'incident',
      // The message of notifications begins with the name, which the page has, and ends with codes of locations.
      label: plainText(causeSentence(incident), nowMs),
    }));
}
