import { keepPreviousData, queryOptions, useQuery } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type {
  MaintenanceFeed,
  MaintenanceOccurrences,
  MaintenanceWindow,
  Monitor,
  One,
  Server,
} from '../../api/types.ts';
import type { Option } from '../../components/form/choices.tsx';
import type { ScheduleBody } from './input.ts';

const SOON_MS = 30_000;
const RARE_MS = 60_000;
/** 1,000 of each: enough for choosing. */
const PAGES_MAX = 5;

/** Read again and again, because windows begin and end by themselves. */
export const windowsQuery = queryOptions({
  queryKey: ['maintenance-windows'],
  queryFn: ({ signal }) => readAll<MaintenanceWindow>('/v1/maintenance-windows', {}, PAGES_MAX, signal),
  refetchInterval: SOON_MS,
});

export const windowQuery = (id: string) =>
  queryOptions({
    queryKey: ['maintenance-window', id],
    queryFn: async ({ signal }) =>
      (await read<One<MaintenanceWindow>>(apiPath`/v1/maintenance-windows/${id}`, {}, signal)).data,
    refetchInterval: SOON_MS,
  });

export const feedsQuery = queryOptions({
  queryKey: ['maintenance-feeds'],
  queryFn: async ({ signal }) => (await read<{ data: MaintenanceFeed[] }>('/v1/maintenance-feeds', {}, signal)).data,
});

/** What a schedule means, as the API computes it. */
export const previewQuery = (schedule: ScheduleBody | null) =>
  queryOptions({
    queryKey: ['maintenance-preview', schedule],
    queryFn: async () =>
      (await call<One<MaintenanceOccurrences>>('POST', '/v1/maintenance-windows/preview', schedule)).data.occurrences,
    enabled: schedule !== null,
    placeholderData: keepPreviousData,
    retry: false,
  });

const monitorsQuery = queryOptions({
  queryKey: ['monitors', 'maintenance'],
  queryFn: ({ signal }) => readAll<Monitor>('/v1/monitors', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

const serversQuery = queryOptions({
  queryKey: ['servers', 'maintenance'],
  queryFn: ({ signal }) => readAll<Server>('/v1/servers', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

/** What windows can be for; empty until it is loaded. */
export function useOptions(): { monitors: Option[]; servers: Option[] } {
  const monitors = useQuery(monitorsQuery).data?.rows ?? [];
  const servers = useQuery(serversQuery).data?.rows ?? [];
  const option = ({ id, name }: Option) => ({ id, name });
  return { monitors: monitors.map(option), servers: servers.map(option) };
}
