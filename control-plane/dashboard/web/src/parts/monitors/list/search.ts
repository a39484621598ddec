import type { MonitorFilter } from '../../../api/queries.ts';

export const STATUSES = ['up', 'degraded', 'down', 'paused', 'unknown'] as const;
export const TYPES = ['http', 'tcp', 'ping'] as const;
export const SORTS = ['worst', 'name', 'response', 'uptime', 'certificate'] as const;
export type Sort = (typeof SORTS)[number];

/** What the address of the list says: the filter, and how the list is shown. What is usual is left out. */
export interface ListSearch extends MonitorFilter {
  /** Absent: the worst first. */
  sort?: Exclude<Sort, 'worst'>;
  group?: 'tag';
  /** The time that bars and uptime are of. Absent: 24 hours. */
  window?: '30d';
}

/** The API accepts names and tags of this many characters. */
const TEXT_CHARS_MAX = 200;

/** Returns what is valid of the parameters of an address. */
export function listSearch(parameters: Record<string, unknown>): ListSearch {
  const one = <Value extends string>(name: string, values: readonly Value[]) =>
    values.find((value) => value === parameters[name]);
  const text = (name: string) => {
    // The router reads `?q=5` as a number.
    const value = parameters[name];
    return typeof value === 'string' || typeof value === 'number' ? String(value).slice(0, TEXT_CHARS_MAX) : '';
  };
  return compact({
    q: text('q'),
    tag: text('tag'),
    status: one('status', STATUSES),
    type: one('type', TYPES),
    sort: one('sort', ['name', 'response', 'uptime', 'certificate'] as const),
    group: one('group', ['tag'] as const),
    window: one('window', ['30d'] as const),
  });
}

/** Returns the search without its absent and empty parts. */
export function compact(search: { [Name in keyof ListSearch]: ListSearch[Name] | undefined }): ListSearch {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined && value !== ''));
}

/** Returns the part of the search that selects monitors. */
export function filterOf({ q, tag, status, type }: ListSearch): MonitorFilter {
  return compact({ q, tag, status, type });
}

/** Whether the filter leaves monitors out. */
export function isFiltering(filter: MonitorFilter): boolean {
  return Object.values(filter).some((value) => value !== undefined && value !== '');
}
