import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { read } from './read.ts';
import type { Account, Billing, Incident, IncidentDetail, Location, Monitor, One, Page } from './types.ts';

/**
 * How often what is shown is read again while the tab is visible. Changes are events, which make the pages read at once;
 * results of checks are none. The plans limit requests a minute.
 */
const RESULTS_MS = 10_000;
const LIST_MS = 60_000;
const PAGE_ROWS = 200;

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => (await read<One<Account>>('/v1/auth/me', {}, signal)).data,
  refetchInterval: LIST_MS,
});

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: async ({ signal }) => (await read<One<Billing>>('/v1/billing', {}, signal)).data,
  refetchInterval: LIST_MS,
});

export const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: async ({ signal }) => (await read<Page<Location>>('/v1/locations', {}, signal)).data,
  staleTime: LIST_MS,
});

/** A list reads all its pages again: the more there are the less often, so that the requests a minute stay the same. */
const perPage = ({ state: { data } }: { state: { data?: { pages: unknown[] } | undefined } }): number =>
  LIST_MS * Math.max(1, data?.pages.length ?? 1);

/** What a list of monitors can be filtered by, as the API has it. */
export interface MonitorFilter {
  q?: string;
  tag?: string;
  status?: 'up' | 'down' | 'paused';
  type?: 'http' | 'tcp' | 'ping';
}

/** The first page of the monitors with a status: enough for the overview. */
export const someMonitorsQuery = (status: 'down' | 'paused') =>
  queryOptions({
    queryKey: ['monitors', 'some', status],
    queryFn: ({ signal }) => read<Page<Monitor>>('/v1/monitors', { status, limit: String(PAGE_ROWS) }, signal),
    refetchInterval: LIST_MS,
  });

/** The newest of the monitors that the API calls up, among which are those without a first result. */
export const newestUpQuery = queryOptions({
  queryKey: ['monitors', 'some', 'up'],
  queryFn: ({ signal }) => read<Page<Monitor>>('/v1/monitors', { status: 'up', limit: String(PAGE_ROWS) }, signal),
  // A first result is no event.
  refetchInterval: ({ state: { data } }) =>
    data?.data.some(({ last_checked_at }) => last_checked_at === null) === true ? RESULTS_MS : LIST_MS,
});

export const monitorQuery = (id: string, refetchInterval = RESULTS_MS) =>
  queryOptions({
    queryKey: ['monitor', id],
    queryFn: async ({ signal }) => (await read<One<Monitor>>(`/v1/monitors/${id}`, {}, signal)).data,
    refetchInterval,
  });

/** What the list of incidents can be filtered by. */
export interface IncidentFilter {
  status?: 'firing' | 'resolved' | 'silenced';
  severity?: 'critical' | 'warning' | 'info';
  kind?: string;
  q?: string;
  monitor_id?: string;
}

export const incidentsQuery = (filter: IncidentFilter, limit = 50) =>
  infiniteQueryOptions({
    queryKey: ['incidents', filter, limit],
    queryFn: ({ pageParam, signal }) =>
      read<Page<Incident>>('/v1/alerts', { ...filter, limit: String(limit), cursor: pageParam }, signal),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    refetchInterval: perPage,
  });

/** The incidents that are firing, for the overview and for the count in the navigation. */
export const firingQuery = queryOptions({
  queryKey: ['incidents', 'firing'],
  queryFn: ({ signal }) => read<Page<Incident>>('/v1/alerts', { status: 'firing', limit: String(PAGE_ROWS) }, signal),
  refetchInterval: LIST_MS,
});

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incident', id],
    queryFn: async ({ signal }) => (await read<One<IncidentDetail>>(`/v1/alerts/${id}`, {}, signal)).data,
    refetchInterval: RESULTS_MS,
  });
