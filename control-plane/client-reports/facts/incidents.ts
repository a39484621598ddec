import type { BegunIncident } from '../../incidents/incidents.js';
import type { Days } from './days.js';
import { type IncidentSums, type IncidentsOfThing, SEVERITIES, type Severity } from './facts.js';

/** The kind of the incidents of monitors that are down. */
const OUTAGE = 'monitor';

/** Returns the sums of incidents, which all began before `toMs`. Ends after `toMs` are not known then. */
export async function sumIncidents(
  incidents: AsyncIterable<BegunIncident>,
  toMs: number,
  days: Days,
  onOutage: (monitorId: string) => void,
): Promise<IncidentSums> {
  const none = () => Object.fromEntries(SEVERITIES.map((name) => [name, 0])) as Record<Severity, number>;
  const sums: IncidentSums = {
    ...{ bySeverity: none(), days: days.starts.map(none), total: 0, outages: 0, resolved: 0, recoveryMs: 0, open: 0 },
    ...{ longest: null, things: [] },
  };
  const things = new Map<string, IncidentsOfThing>();
  for await (const incident of incidents) {
    const { severity, resource, started_at_ms: startedMs } = incident;
    const endedMs = incident.resolved_at_ms;
    const open = endedMs === null || endedMs > toMs;
    const lastedMs = Math.max(0, (open ? toMs : endedMs) - startedMs);
    sums.total++;
    sums.bySeverity[severity]++;
    const day = sums.days[days.placeOf(startedMs)];
    if (day !== undefined) day[severity]++;
    if (open) sums.open++;
    else {
      sums.resolved++;
      sums.recoveryMs += lastedMs;
    }
    if (incident.kind === OUTAGE) {
      sums.outages++;
      if (incident.monitor_id !== null) onOutage(incident.monitor_id);
      if (sums.longest === null || lastedMs > sums.longest.lastedMs)
        sums.longest = { name: resource.name, startedMs, lastedMs, open };
    }
    addToThing(things, `${resource.type} ${resource.id}`, { name: resource.name, severity, lastedMs, open });
  }
  sums.things = [...things.values()].sort((a, b) => b.count - a.count || b.totalMs - a.totalMs);
  return sums;
}

function addToThing(
  things: Map<string, IncidentsOfThing>,
  key: string,
  { name, severity, lastedMs, open }: { name: string; severity: Severity; lastedMs: number; open: boolean },
): void {
  const thing = things.get(key) ?? { name, count: 0, critical: 0, totalMs: 0, longestMs: 0, open: 0 };
  things.set(key, thing);
  // The newest name is the one that people know.
  thing.name = name;
  thing.count++;
  if (severity === 'critical') thing.critical++;
  thing.totalMs += lastedMs;
  thing.longestMs = Math.max(thing.longestMs, lastedMs);
  if (open) thing.open++;
}
