import { queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { Monitor, One, Page, Scan, ScanConfirmation, ScanWithFindings } from '../../api/types.ts';

export const scansPath = '/v1/scans';
const SHOWN_MAX = 100;
const SLOW_MS = 60_000;
/** While a scan is queued or running. */
const FAST_MS = 2_000;
const MONITOR_PAGES_MAX = 10;

export function isOpen({ status }: Pick<Scan, 'status'>): boolean {
  return status === 'queued' || status === 'running';
}

export const scansQuery = queryOptions({
  queryKey: ['scans'],
  queryFn: async ({ signal }) => (await read<Page<Scan>>(scansPath, { limit: String(SHOWN_MAX) }, signal)).data,
  refetchInterval: ({ state: { data } }) => (data?.some(isOpen) === true ? FAST_MS : SLOW_MS),
});

export const scanQuery = (id: string) =>
  queryOptions({
    queryKey: ['scan', id],
    queryFn: async ({ signal }) => (await read<One<ScanWithFindings>>(apiPath`/v1/scans/${id}`, {}, signal)).data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && isOpen(data) ? FAST_MS : SLOW_MS),
  });

export const confirmationQuery = queryOptions({
  queryKey: ['scan-confirmation'],
  queryFn: async ({ signal }) => (await read<One<ScanConfirmation>>('/v1/scans/confirmation', {}, signal)).data,
  staleTime: Number.POSITIVE_INFINITY,
});

/** The monitors whose website can be scanned. */
export const websitesQuery = queryOptions({
  queryKey: ['monitors', 'websites'],
  queryFn: async ({ signal }) => {
    const { rows } = await readAll<Monitor>('/v1/monitors', { type: 'http' }, MONITOR_PAGES_MAX, signal);
    return rows;
  },
  staleTime: SLOW_MS,
});
