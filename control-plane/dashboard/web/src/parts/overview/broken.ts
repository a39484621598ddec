import type { Incident, Monitor, Server } from '../../api/types.ts';
import type { Said } from '../../texts/said.ts';
import { causeSentence } from '../incidents/cause-sentence.ts';
import { errorOf, together } from './together.ts';

/** Something that is broken now: a monitor that is down, or another incident that fires. */
export interface Broken {
  key: string;
  name: string;
  /** What is wrong, in words. */
  detail: Said;
  since: string;
  severity: 'critical' | 'warning' | 'info';
  isAcknowledged: boolean;
  /** It is still broken, but sends no notifications. */
  isSilenced: boolean;
  /** Whether it is a monitor that is down. */
  isOutage: boolean;
  /** The incident; null for a monitor that is down without one. */
  incidentId: string | null;
  monitorId: string | null;
  /** The code of its error; null without one. */
  error: string | null;
}

const ORDER = { critical: 0, warning: 1, info: 2 };

/**
 * Returns what is broken, the worst first: what somebody silenced comes last, otherwise by severity, then what nobody has
 * acknowledged, then the longest. `open` are incidents that fire or are silenced. Pure.
 */
export function brokenNow(down: readonly Monitor[], open: readonly Incident[]): Broken[] {
  const covered = new Set(open.filter(({ kind }) => kind === 'monitor').map(({ monitor_id }) => monitor_id));
  const incidents = open.map(
    (incident): Broken => ({
      ...{ key: incident.id, name: incident.monitor_name ?? incident.resource.name, detail: causeSentence(incident) },
      ...{ since: incident.started_at, severity: incident.severity, isAcknowledged: incident.acknowledged_at !== null },
      ...{ isOutage: incident.kind === 'monitor', isSilenced: incident.status === 'silenced' },
      ...{ incidentId: incident.id, monitorId: incident.monitor_id, error: errorOf(incident) },
    }),
  );
  const monitors = down
    .filter(({ id }) => !covered.has(id))
    .map(
      (monitor): Broken => ({
        ...{ key: monitor.id, name: monitor.name, detail: [monitor.url], since: monitor.status_changed_at },
        ...{
          severity: 'warning',
          isAcknowledged: false,
          isSilenced: false,
          isOutage: true,
          incidentId: null,
          monitorId: monitor.id,
          error: null,
        },
      }),
    );
  return [...incidents, ...monitors].sort(
    (a, b) =>
      Number(a.isSilenced) - Number(b.isSilenced) ||
      ORDER[a.severity] - ORDER[b.severity] ||
      Number(a.isAcknowledged) - Number(b.isAcknowledged) ||
      Date.parse(a.since) - Date.parse(b.since),
  );
}

/** Returns what is broken with the monitors that went down together as one group, in the order of the first ones. Pure. */
export function brokenTogether(broken: readonly Broken[]): Broken[][] {
  return together(broken, ({ error, severity, isAcknowledged, isSilenced, since, monitorId, key }) =>
    error === null
      ? null
      : { cause: `${error} ${severity} ${isAcknowledged} ${isSilenced}`, at: since, object: monitorId ?? key },
  );
}

/** Whether more fires, or is silenced, than was read: the newest of each. */
export interface Cut {
  firing: boolean;
  silenced: boolean;
}

/**
 * Returns whether a group may have more monitors than were read: it contains the oldest of a list that was cut, with which
 * others may have gone down. Pure.
 */
export function mayHaveMore(group: readonly Broken[], broken: readonly Broken[], cut: Cut): boolean {
  const [first] = group;
  if (first === undefined || group.length === 1 || !(first.isSilenced ? cut.silenced : cut.firing)) return false;
  const ofList = broken.filter(({ isSilenced, incidentId }) => isSilenced === first.isSilenced && incidentId !== null);
  const oldest = ofList.reduce<Broken | null>((old, one) => (old !== null && old.since <= one.since ? old : one), null);
  return oldest !== null && group.some(({ since }) => since <= oldest.since);
}

/** Returns the servers with a disk that fills up of which no firing incident says so. Pure. */
export function fillingUnnoticed<One extends Pick<Server, 'id' | 'disk_forecast'>>(
  servers: readonly One[],
  firing: readonly Incident[],
): One[] {
  const isSaid = ({ id, disk_forecast }: One) =>
    firing.some(
      ({ facts, resource }) =>
        facts?.type === 'disk_full' && resource.id === id && facts.mount === disk_forecast?.mount,
    );
  return servers.filter((server) => server.disk_forecast !== null && !isSaid(server));
}
