import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { cityName } from '../texts/default-names.ts';
import { noteLoadedFor } from './loaded-for.ts';
import { apiPath } from './path.ts';
import { read } from './read.ts';
import type {
  Account,
  Billing,
  Incident,
  IncidentDetail,
  Location,
  Monitor,
  MonitorSummary,
  MonitorTotals,
  One,
  OwnWorkspace,
  Page,
} from './types.ts';

/**
 * How often what is shown is read again while the tab is visible. Changes are events, which make the pages read at once;
 * results of checks are none. The plans limit requests a minute.
 */
const RESULTS_MS = 10_000;
const LIST_MS = 60_000;
const PAGE_ROWS = 200;
const OVERVIEW_ROWS = 20;

export const accountQuery = queryOptions({
  queryKey: ['account'],
  queryFn: async ({ signal }) => {
    const account = (await read<One<Account>>('/v1/auth/me', {}, signal)).data;
    noteLoadedFor({ workspaceId: account.workspace.id, userId: account.id });
    return account;
  },
  refetchInterval: LIST_MS,
});

/** The workspaces of the person. */
export const ownWorkspacesQuery = queryOptions({
  queryKey: ['own-workspaces'],
  queryFn: async ({ signal }) =>
    (await read<Page<OwnWorkspace>>('/v1/auth/workspaces', { limit: String(PAGE_ROWS) }, signal)).data,
  staleTime: LIST_MS,
});

export const billingQuery = queryOptions({
  queryKey: ['billing'],
  queryFn: async ({ signal }) => (await read<One<Billing>>('/v1/billing', {}, signal)).data,
  refetchInterval: LIST_MS,
});

export const locationsQuery = queryOptions({
  queryKey: ['locations'],
  queryFn: async ({ signal }) =>
    (await read<Page<Location>>('/v1/locations', {}, signal)).data.map((one) => ({ ...one, city: cityName(one) })),
  staleTime: LIST_MS,
});

/** A list reads all its pages again: the more there are the less often, so that the requests a minute stay the same. */
const perPage = ({ state: { data } }: { state: { data?: { pages: unknown[] } | undefined } }): number =>
  LIST_MS * Math.max(1, data?.pages.length ?? 1);

/** What the list of monitors can be filtered by. */
export interface MonitorFilter {
  q?: string;
  tag?: string;
  status?: MonitorSummary['state'];
  type?: 'http' | 'tcp' | 'ping';
}

/** The monitors that are down: as many as the overview shows, because nearly all have an incident. */
export const downMonitorsQuery = queryOptions({
  queryKey: ['monitors', 'some', 'down'],
  queryFn: ({ signal }) =>
    read<Page<Monitor>>('/v1/monitors', { status: 'down', limit: String(OVERVIEW_ROWS) }, signal),
  refetchInterval: LIST_MS,
});

/** How many monitors there are, by status and type, and the uptime of all of them. */
export const totalsQuery = queryOptions({
  queryKey: ['monitors', 'totals'],
  queryFn: async ({ signal }) => (await read<One<MonitorTotals>>('/v1/monitors/totals', {}, signal)).data,
  // A first result is no event.
  refetchInterval: ({ state: { data } }) => ((data?.by_status.unknown ?? 0) > 0 ? RESULTS_MS : LIST_MS),
});

export const monitorQuery = (id: string, refetchInterval = RESULTS_MS) =>
  queryOptions({
    queryKey: ['monitor', id],
    queryFn: async ({ signal }) => (await read<One<Monitor>>(apiPath`/v1/monitors/${id}`, {}, signal)).data,
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

/** The silenced incidents that are not resolved: their targets are still broken. */
export const silencedQuery = queryOptions({
  queryKey: ['incidents', 'silenced'],
  queryFn: ({ signal }) => read<Page<Incident>>('/v1/alerts', { status: 'silenced', limit: String(PAGE_ROWS) }, signal),
  refetchInterval: LIST_MS,
});

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: ['incident', id],
    queryFn: async ({ signal }) => (await read<One<IncidentDetail>>(apiPath`/v1/alerts/${id}`, {}, signal)).data,
    refetchInterval: RESULTS_MS,
  });
