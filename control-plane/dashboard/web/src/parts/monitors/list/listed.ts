import type { MonitorFilter } from '../../../api/queries.ts';
import type { MonitorSummary } from '../../../api/types.ts';
import type { Sort } from './search.ts';

type State = 'up' | 'down' | 'paused' | 'unknown';

/** A monitor of the list, with what filtering and sorting need, computed once for each answer of the API. */
export interface Listed {
  monitor: MonitorSummary;
  state: State;
  /** What the filter searches: name and address, in lower case. */
  text: string;
  /** By which names are sorted. */
  nameKey: string;
}

/** Digits that numbers in names are padded to, so that "Shop 2" is before "Shop 10". */
const NUMBER_DIGITS = 10;
const EXPIRES_SOON_DAYS = 14;

export function listed(monitor: MonitorSummary): Listed {
  const name = monitor.name.toLowerCase();
  return {
    monitor,
    state: stateOf(monitor),
    text: `${name}\n${monitor.url.toLowerCase()}`,
    nameKey: name.replace(/\d+/g, (digits) => digits.padStart(NUMBER_DIGITS, '0')),
  };
}

/** Before its first result a monitor is "up" in the API, and nothing is known. */
function stateOf({ status, uptime_30d, response_time_ms }: MonitorSummary): State {
  return status === 'up' && uptime_30d === null && response_time_ms === null ? 'unknown' : status;
}

/** Returns those that match, in the same order. Ten thousand take a millisecond. */
export function matching(rows: readonly Listed[], { q = '', tag, status, type }: MonitorFilter): readonly Listed[] {
  const part = q.trim().toLowerCase();
  if (part === '' && tag === undefined && status === undefined && type === undefined) return rows;
  return rows.filter(
    ({ monitor, text }) =>
      (status === undefined || monitor.status === status) &&
      (type === undefined || monitor.type === type) &&
      (tag === undefined || monitor.tags.includes(tag)) &&
      (part === '' || text.includes(part)),
  );
}

/** Returns the monitors in order; the better one of two equal ones is the one whose name is first. */
export function sorted(rows: readonly Listed[], sort: Sort, window: '24h' | '30d'): Listed[] {
  const value = VALUES[sort];
  const keyed = rows.map((row) => ({ row, value: value(row, window) }));
  keyed.sort((a, b) => a.value - b.value || compareNames(a.row, b.row));
  return keyed.map(({ row }) => row);
}

function compareNames(a: Listed, b: Listed): number {
  if (a.nameKey === b.nameKey) return a.monitor.id < b.monitor.id ? -1 : 1;
  return a.nameKey < b.nameKey ? -1 : 1;
}

/** By what monitors are sorted; the smallest is the first. What is not known is the last. */
const VALUES: Record<Sort, (row: Listed, window: '24h' | '30d') => number> = {
  worst: badness,
  name: () => 0,
  response: ({ monitor }) => -(monitor.response_time_ms ?? -1),
  uptime: ({ monitor }, window) => uptimeOf(monitor, window).uptime ?? 101,
  certificate: ({ monitor }) => monitor.certificate_days_remaining ?? Number.MAX_SAFE_INTEGER,
};

/** The figures of a window, as the row shows them. */
export function uptimeOf(monitor: MonitorSummary, window: '24h' | '30d') {
  return window === '24h'
    ? { uptime: monitor.uptime_24h, coverage: monitor.coverage_24h }
    : { uptime: monitor.uptime_30d, coverage: monitor.coverage_30d };
}

/** Down first, then certificates that expire, then recent outages, the worst of each first; paused ones last. */
function badness({ monitor, state }: Listed): number {
  const { uptime_24h: uptime, certificate_days_remaining: days } = monitor;
  if (state === 'down') return 0;
  if (state === 'paused') return 500;
  if (days !== null && days <= EXPIRES_SOON_DAYS) return 100 + Math.max(-50, days);
  if (uptime !== null && uptime < 100) return 200 + uptime;
  return state === 'unknown' ? 400 : 450;
}

/** How the days that a certificate is valid for read: `expired` and `soon` stand out. */
export function certificateTone(days: number): 'expired' | 'soon' | 'fine' {
  if (days < 0) return 'expired';
  return days <= EXPIRES_SOON_DAYS ? 'soon' : 'fine';
}
