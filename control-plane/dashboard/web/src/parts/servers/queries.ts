import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import type {
  AlertRule,
  One,
  Page,
  Processes,
  Server,
  ServerDisk,
  ServerInterface,
  ServerMetrics,
} from '../../api/types.ts';
import { worstFirstQuery } from '../../api/worst-first.ts';
import { type ServerFilter, STATUSES } from './filter.ts';

const SLOW_MS = 60_000;
/** Nothing says that a sample has come, and an hour is short. */
const LIVE_MS = 20_000;
/** While the page waits for an agent that was just started. */
const WAITING_MS = 4_000;
const PAGE_ROWS = 200;
const JOINED_SHOWN = 20;
const FILLING_SHOWN = 20;

export const serversQuery = ({ q, tag, status }: ServerFilter) =>
  worstFirstQuery<Server>({
    queryKey: ['servers', 'list', { q, tag, status }],
    path: '/v1/servers',
    statuses: status === undefined ? STATUSES : [status],
    query: { q, tag },
    limit: PAGE_ROWS,
  });

/** The servers that are offline, for the sentence above the list. */
export const offlineQuery = queryOptions({
  queryKey: ['servers', 'offline'],
  queryFn: ({ signal }) => read<Page<Server>>('/v1/servers', { status: 'offline', limit: String(PAGE_ROWS) }, signal),
  refetchInterval: SLOW_MS,
});

/** The servers whose agent has joined and has not sent a sample. */
export const pendingQuery = queryOptions({
  queryKey: ['servers', 'pending'],
  queryFn: ({ signal }) => read<Page<Server>>('/v1/servers', { status: 'pending', limit: String(PAGE_ROWS) }, signal),
  refetchInterval: SLOW_MS,
});

/** The servers with a disk that will be full within a day. */
export const fillingQuery = queryOptions({
  queryKey: ['servers', 'filling'],
  queryFn: async ({ signal }) => {
    const query = { disk_full_within_hours: '24', limit: String(FILLING_SHOWN) };
    return (await read<Page<Server>>('/v1/servers', query, signal)).data;
  },
  refetchInterval: SLOW_MS,
});

/** The newest servers, while one is awaited. */
export const newestQuery = queryOptions({
  queryKey: ['servers', 'newest'],
  queryFn: async ({ signal }) =>
    (await read<Page<Server>>('/v1/servers', { limit: String(JOINED_SHOWN) }, signal)).data,
  refetchInterval: WAITING_MS,
});

export const serverQuery = (id: string) =>
  queryOptions({
    queryKey: ['server', id],
    queryFn: async ({ signal }) => (await read<One<Server>>(apiPath`/v1/servers/${id}`, {}, signal)).data,
    refetchInterval: LIVE_MS,
  });

export const disksQuery = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'disks'],
    queryFn: async ({ signal }) =>
      (await read<Page<ServerDisk>>(apiPath`/v1/servers/${id}/disks`, { limit: String(PAGE_ROWS) }, signal)).data,
    refetchInterval: SLOW_MS,
  });

export const interfacesQuery = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'network'],
    queryFn: async ({ signal }) =>
      (await read<Page<ServerInterface>>(apiPath`/v1/servers/${id}/network`, { limit: String(PAGE_ROWS) }, signal))
        .data,
    refetchInterval: SLOW_MS,
  });

/** Asked of the agent, so only on demand. */
export const processesQuery = (id: string) =>
  queryOptions({
    queryKey: ['server', id, 'processes'],
    queryFn: async ({ signal }) => (await read<One<Processes>>(apiPath`/v1/servers/${id}/processes`, {}, signal)).data,
    enabled: false,
    gcTime: 0,
    retry: false,
  });

/** What the charts draw, in this order. */
const METRICS = [
  ...['cpu_percent', 'cpu_iowait_percent', 'cpu_steal_percent', 'load_1', 'load_5', 'load_15'],
  ...['mem_used_percent', 'swap_used_percent', 'disk_used_percent:*', 'disk_read_rate', 'disk_write_rate'],
  ...['net_bytes_recv_rate', 'net_bytes_sent_rate'],
].join(',');

/** A part of the past: `key` is its name, and `spanMs` its length until now; `fixed` one that was selected. */
export interface Window {
  spanMs: number;
  fixed: { fromMs: number; toMs: number } | null;
}

export interface History extends ServerMetrics {
  fromMs: number;
  toMs: number;
}

export const historyQuery = (id: string, { spanMs, fixed }: Window) =>
  queryOptions({
    queryKey: ['server', id, 'metrics', { spanMs, fixed }],
    queryFn: async ({ signal }): Promise<History> => {
      const toMs = fixed?.toMs ?? Date.now();
      const fromMs = fixed?.fromMs ?? toMs - spanMs;
      const [from, to] = [new Date(fromMs).toISOString(), new Date(toMs).toISOString()];
      const { data } = await read<One<ServerMetrics>>(
        apiPath`/v1/servers/${id}/metrics`,
        { metrics: METRICS, from, to },
        signal,
      );
      return { ...data, fromMs, toMs };
    },
    placeholderData: keepPreviousData,
    // What was selected is in the past.
    refetchInterval: fixed !== null ? false : spanMs <= SLOW_MS * 60 ? LIVE_MS : SLOW_MS,
  });

export const alertRulesQuery = queryOptions({
  queryKey: ['alert-rules', 'first'],
  queryFn: async ({ signal }) =>
    (await read<Page<AlertRule>>('/v1/alert-rules', { limit: String(PAGE_ROWS) }, signal)).data,
  staleTime: SLOW_MS,
});
