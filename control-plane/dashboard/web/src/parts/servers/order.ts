import type { Server } from '../../api/types.ts';

/** Percentages from which a bar warns, and from which it is critical. */
const WARNING_MIN = 85;
const CRITICAL_MIN = 95;

type Loaded = Pick<Server, 'metrics' | 'disk_forecast'>;

const hoursMs = (hours: number): number => hours * 3_600_000;

export function toneOf(percent: number | null): 'ok' | 'warning' | 'critical' {
  if (percent === null || percent < WARNING_MIN) return 'ok';
  return percent < CRITICAL_MIN ? 'warning' : 'critical';
}

/** Returns the highest of the three percentages of a server; 0 without any. */
function highest({ metrics }: Loaded): number {
  if (metrics === null) return 0;
  return Math.max(metrics.cpu_percent ?? 0, metrics.mem_used_percent ?? 0, metrics.disk_used_percent ?? 0);
}

const ORDER = { offline: 0, pending: 1, online: 2 };

/**
 * Returns servers in the order in which somebody should see them: those that are offline, the latest first; those that
 * have not reported; those with a value that warns or a disk that is full within a day, the highest first; the others by name, so that rows stay in their
 * places while values change. Pure.
 */
export function worstServersFirst<
  Row extends Pick<Server, 'name' | 'status' | 'status_changed_at' | 'metrics' | 'disk_forecast'>,
>(rows: readonly Row[]): Row[] {
  return [...rows].sort((a, b) => {
    if (a.status !== b.status) return ORDER[a.status] - ORDER[b.status];
    if (a.status === 'offline') return Date.parse(b.status_changed_at) - Date.parse(a.status_changed_at);
    return heat(b) - heat(a) || a.name.localeCompare(b.name);
  });
}

/** A disk that is full within this time counts as a value that is critical. */
const FULL_SOON_MS = 86_400_000;

function heat(server: Loaded): number {
  const isFullSoon = server.disk_forecast !== null && hoursMs(server.disk_forecast.hours_until_full) <= FULL_SOON_MS;
  const percent = Math.max(highest(server), isFullSoon ? CRITICAL_MIN : 0);
  return percent < WARNING_MIN ? 0 : percent;
}
