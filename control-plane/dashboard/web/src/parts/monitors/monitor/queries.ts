import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { ApiProblem, call } from '../../../api/client.ts';
import { apiPath } from '../../../api/path.ts';
import { read } from '../../../api/read.ts';
import type { Backtest, Incident, Metrics, MonitoredDomain, One, Page, Result } from '../../../api/types.ts';
import type { TimeRange } from '../../../components/chart/plot.ts';
import { RANGES_MS, type RangeName } from './range.ts';

const RESULTS_MS = 10_000;
const HISTORY_MS = 60_000;
const RESULTS_ROWS = 50;
const INCIDENTS_ROWS = 200;
const BACKTEST_BUSY_MS = 5_000;
const BACKTEST_RETRIES = 3;

/** The results of a monitor, newest first. */
export const resultsQuery = (id: string) =>
  infiniteQueryOptions({
    queryKey: ['monitor', id, 'results'],
    queryFn: ({ pageParam, signal }) =>
      read<Page<Result>>(
        apiPath`/v1/monitors/${id}/results`,
        { limit: String(RESULTS_ROWS), cursor: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
    // Who reads older results does not need newer ones.
    refetchInterval: ({ state: { data } }) => ((data?.pages.length ?? 1) > 1 ? false : RESULTS_MS),
  });

/** The registered domain of a monitor; null without one. */
export const domainOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['monitor', id, 'domain'],
    queryFn: async ({ signal }) =>
      (await read<Page<MonitoredDomain>>('/api/v1/domains', { monitor_id: id }, signal)).data[0] ?? null,
    refetchInterval: HISTORY_MS,
  });

/** The newest incident of a monitor that is not resolved; null without one. */
export const firingOfQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'firing of', id],
    queryFn: async ({ signal }) => {
      const query = { monitor_id: id, status: 'firing', limit: '10' };
      const { data } = await read<Page<Incident>>('/v1/alerts', query, signal);
      return data.find(({ kind }) => kind === 'monitor') ?? null;
    },
    refetchInterval: HISTORY_MS,
  });

/** The newest incidents of a monitor, for the bands of charts. */
export const bandsQuery = (id: string) =>
  queryOptions({
    queryKey: ['incidents', 'bands of', id],
    queryFn: async ({ signal }) => {
      const query = { monitor_id: id, limit: String(INCIDENTS_ROWS) };
      return (await read<Page<Incident>>('/v1/alerts', query, signal)).data;
    },
    refetchInterval: HISTORY_MS,
  });

interface History {
  metrics: Metrics;
  range: TimeRange;
}

/** The response times of a selected time, otherwise of the range up to now. */
export const responseQuery = (id: string, range: RangeName, zoom: TimeRange | null) =>
  queryOptions({
    // Not below ['monitor', id]: an event about the monitor does not change its past.
    queryKey: ['history', id, 'response', zoom ?? range],
    queryFn: async ({ signal }): Promise<History> => {
      const now = Date.now();
      const shown = zoom ?? { fromMs: now - RANGES_MS[range], toMs: now };
      return { range: shown, metrics: await metrics(id, 'response_time_ms', shown, signal) };
    },
    placeholderData: keepPreviousData,
    refetchInterval: zoom === null ? HISTORY_MS : false,
  });

/** The uptime of the hours since a time. */
export const uptimeHoursQuery = (id: string, fromMs: number) =>
  queryOptions({
    queryKey: ['history', id, 'uptime', fromMs],
    queryFn: async ({ signal }) => {
      const range = { fromMs, toMs: Date.now() };
      const { series } = await metrics(id, 'uptime', range, signal, '1h');
      return (series['uptime'] ?? []).map(({ t, v }) => ({ atMs: Date.parse(t), uptime: v }));
    },
    refetchInterval: HISTORY_MS,
  });

async function metrics(
  id: string,
  names: string,
  { fromMs, toMs }: TimeRange,
  signal: AbortSignal,
  resolution?: string,
): Promise<Metrics> {
  const query = { metrics: names, from: new Date(fromMs).toISOString(), to: new Date(toMs).toISOString(), resolution };
  return (await read<One<Metrics>>(apiPath`/v1/monitors/${id}/metrics`, query, signal)).data;
}

/** What a backtest replays. */
export interface BacktestInput {
  from: string;
  to: string;
  confirmations: number | null;
  retries: number;
  interval_seconds: number;
}

/** The alerts that other settings would have caused. Others may run at the same time: then it waits. */
export const backtestQuery = (id: string, input: BacktestInput) =>
  queryOptions({
    queryKey: ['backtest', id, input],
    queryFn: async ({ signal }) =>
      (await call<One<Backtest>>('POST', apiPath`/v1/monitors/${id}/backtest`, input, signal)).data,
    placeholderData: keepPreviousData,
    staleTime: Number.POSITIVE_INFINITY,
    retry: (count, error) => count < BACKTEST_RETRIES && isPassing(error),
    retryDelay: (_count, error) => waitMs(error),
  });

/** A refusal, such as that of too many results, stays the same; a busy or unreachable control plane does not. */
function isPassing(error: Error): boolean {
  return !(error instanceof ApiProblem) || error.status === 0 || error.status === 429 || error.status >= 500;
}

/** An answer can leave out when another attempt can work. */
function waitMs(error: Error): number {
  const seconds = error instanceof ApiProblem ? error.retryAfterS : null;
  return seconds === null ? BACKTEST_BUSY_MS : seconds * 1_000;
}
