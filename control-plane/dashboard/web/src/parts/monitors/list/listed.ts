import type { MonitorFilter } from '../../../api/queries.ts';
import type { MonitorSummary } from '../../../api/types.ts';
import type { Sort } from './search.ts';

type State = MonitorSummary['state'];

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
    state: monitor.state,
    text: `${name}\n${monitor.url.toLowerCase()}`,
    nameKey: name.replace(/\d+/g, (digits) => digits.padStart(NUMBER_DIGITS, '0')),
  };
}

/** Returns the tags of monitors, those that most of them have first. */
export function tagsInUse(rows: readonly Listed[]): string[] {
  const counts = new Map<string, number>();
  for (const { monitor } of rows) for (const tag of monitor.tags) counts.set(tag, (counts.get(tag) ?? 0) + 1);
  return [...counts].sort(([a, many], [b, more]) => more - many || a.localeCompare(b)).map(([tag]) => tag);
}

/**
 * Returns the function that returns the rows that match a filter, in the same order. Whoever types narrows the filter with
 * each key, so it then searches what matched before, and returns that same list if all of it still matches.
 */
export function createMatcher(all: readonly Listed[]): (filter: MonitorFilter) => readonly Listed[] {
  let last: { filter: MonitorFilter; found: readonly Listed[] } = { filter: {}, found: all };
  return (filter) => {
    const among = isNarrower(filter, last.filter) ? last.found : all;
    const found = matching(among, filter);
    last = { filter, found: found.length === among.length ? among : found };
    return last.found;
  };
}

const searched = ({ q = '' }: MonitorFilter): string => q.trim().toLowerCase();

/** Whether everything that matches a filter matches the filter `than` too. */
function isNarrower(filter: MonitorFilter, than: MonitorFilter): boolean {
  return (
    (than.tag === undefined || than.tag === filter.tag) &&
    (than.status === undefined || than.status === filter.status) &&
    (than.type === undefined || than.type === filter.type) &&
    searched(filter).includes(searched(than))
  );
}

/** Ten thousand take a millisecond. */
function matching(rows: readonly Listed[], filter: MonitorFilter): readonly Listed[] {
  const { tag, status, type } = filter;
  const part = searched(filter);
  return rows.filter(
    ({ monitor, state, text }) =>
      (status === undefined || state === status) &&
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

/** Down first, then those that fail from some locations, certificates that expire, then recent outages, the worst of each first; paused ones last. */
function badness({ monitor, state }: Listed): number {
  const { uptime_24h: uptime, certificate_days_remaining: days } = monitor;
  if (state === 'down') return 0;
  if (state === 'paused') return 500;
  if (state === 'degraded') return 10;
  if (days !== null && days <= EXPIRES_SOON_DAYS) return 100 + Math.max(-50, days);
  if (uptime !== null && uptime < 100) return 200 + uptime;
  return state === 'unknown' ? 400 : 450;
}

/** How the days that a certificate is valid for read: `expired` and `soon` stand out. */
export function certificateTone(days: number): 'expired' | 'soon' | 'fine' {
  if (days < 0) return 'expired';
  return days <= EXPIRES_SOON_DAYS ? 'soon' : 'fine';
}
