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
  const sums: IncidentSums = {
    bySeverity: noSeverities(),
    days: days.starts.map(noSeverities),
    total: 0,
    outages: 0,
    resolved: 0,
    recoveryMs: 0,
    open: 0,
    longest: null,
    things: [],
  };
  const things = new Map<string, IncidentsOfThing>();
  for await (const incident of incidents) {
    const { severity, resource, started_at_ms: startedMs } = incident;
    const endedMs = incident.resolved_at_ms;
    const open = endedMs === null || endedMs > toMs;
    const one = { severity, open, lastedMs: Math.max(0, (open ? toMs : endedMs) - startedMs) };
    const isOutage = incident.kind === OUTAGE;
    addIncident(sums, one, isOutage);
    const day = sums.days[days.placeOf(startedMs)];
    if (day !== undefined) day[severity]++;
    if (isOutage) {
      if (incident.monitor_id !== null) onOutage(incident.monitor_id);
      if (sums.longest === null || one.lastedMs > sums.longest.lastedMs)
        sums.longest = { name: resource.name, startedMs, lastedMs: one.lastedMs, open };
    }
    const thing = thingOf(things, `${resource.type} ${resource.id}`, resource.name);
    addIncident(thing, one, isOutage);
    thing.totalMs += one.lastedMs;
    thing.longestMs = Math.max(thing.longestMs, one.lastedMs);
  }
  sums.things = [...things.values()].sort((a, b) => b.total - a.total || b.totalMs - a.totalMs);
  return sums;
}

const noSeverities = () => Object.fromEntries(SEVERITIES.map((name) => [name, 0])) as Record<Severity, number>;

function addIncident(
  to: Pick<IncidentsOfThing, 'total' | 'bySeverity' | 'outages' | 'resolved' | 'recoveryMs' | 'open'>,
  { severity, open, lastedMs }: { severity: Severity; open: boolean; lastedMs: number },
  isOutage: boolean,
): void {
  to.total++;
  to.bySeverity[severity]++;
  if (isOutage) to.outages++;
  if (open) {
    to.open++;
    return;
  }
  to.resolved++;
  to.recoveryMs += lastedMs;
}

function thingOf(things: Map<string, IncidentsOfThing>, key: string, name: string): IncidentsOfThing {
  const thing = things.get(key) ?? {
    name,
    total: 0,
    bySeverity: noSeverities(),
    outages: 0,
    resolved: 0,
    recoveryMs: 0,
    totalMs: 0,
    longestMs: 0,
    open: 0,
  };
  things.set(key, thing);
  // The newest name is the one that people know.
  thing.name = name;
  return thing;
}
