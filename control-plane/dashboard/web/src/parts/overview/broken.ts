import type { Incident, Monitor } from '../../api/types.ts';

/** Something that is broken now: a monitor that is down, or another incident that fires. */
export interface Broken {
  key: string;
  name: string;
  /** What is wrong, in words. */
  detail: string;
  since: string;
  severity: 'critical' | 'warning' | 'info';
  isAcknowledged: boolean;
  /** Whether it is a monitor that is down. */
  isOutage: boolean;
  /** The incident; null for a monitor that is down without one. */
  incidentId: string | null;
  monitorId: string | null;
}

const ORDER = { critical: 0, warning: 1, info: 2 };

/** Returns what is broken, the worst first: by severity, then what nobody has acknowledged, then the longest. Pure. */
export function brokenNow(down: readonly Monitor[], firing: readonly Incident[]): Broken[] {
  const covered = new Set(firing.filter(({ kind }) => kind === 'monitor').map(({ monitor_id }) => monitor_id));
  const incidents = firing.map(
    (incident): Broken => ({
      ...{ key: incident.id, name: incident.monitor_name ?? incident.resource.name, detail: incident.message },
      ...{ since: incident.started_at, severity: incident.severity, isAcknowledged: incident.acknowledged_at !== null },
      isOutage: incident.kind === 'monitor',
      ...{ incidentId: incident.id, monitorId: incident.monitor_id },
    }),
  );
  const monitors = down
    .filter(({ id }) => !covered.has(id))
    .map(
      (monitor): Broken => ({
        ...{ key: monitor.id, name: monitor.name, detail: monitor.url, since: monitor.status_changed_at },
        ...{ severity: 'warning', isAcknowledged: false, isOutage: true, incidentId: null, monitorId: monitor.id },
      }),
    );
  return [...incidents, ...monitors].sort(
    (a, b) =>
      ORDER[a.severity] - ORDER[b.severity] ||
      Number(a.isAcknowledged) - Number(b.isAcknowledged) ||
      Date.parse(a.since) - Date.parse(b.since),
  );
}

/** Returns how many monitors are down. The two lists are read at different times, so a monitor may be in only one. */
export function downCount(down: readonly Monitor[], firing: readonly Incident[]): number {
  const outages = firing.filter(({ kind }) => kind === 'monitor').map(({ monitor_id }) => monitor_id);
  return new Set([...down.map(({ id }) => id), ...outages]).size;
}
