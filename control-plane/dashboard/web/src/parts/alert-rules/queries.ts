import { queryOptions, useQuery } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { AlertRule, BackupJob, BlacklistMonitor, Channel, One, Server } from '../../api/types.ts';
import type { Option } from '../../components/form/choices.tsx';
import type { Names } from './sentence.ts';

const RARE_MS = 60_000;
/** 1,000 of each: enough for names in sentences and for choosing. */
const PAGES_MAX = 5;

export const rulesQuery = queryOptions({
  queryKey: ['alert-rules'],
  queryFn: ({ signal }) => readAll<AlertRule>('/v1/alert-rules', {}, PAGES_MAX, signal),
  refetchInterval: RARE_MS,
});

export const ruleQuery = (id: string) =>
  queryOptions({
    queryKey: ['alert-rule', id],
    queryFn: async ({ signal }) => (await read<One<AlertRule>>(apiPath`/v1/alert-rules/${id}`, {}, signal)).data,
  });

const serversQuery = queryOptions({
  queryKey: ['servers', 'names'],
  queryFn: ({ signal }) => readAll<Server>('/v1/servers', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

const blacklistMonitorsQuery = queryOptions({
  queryKey: ['blacklist-monitors', 'names'],
  queryFn: ({ signal }) => readAll<BlacklistMonitor>('/api/v1/blacklist/monitors', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

const backupJobsQuery = queryOptions({
  queryKey: ['backup-jobs', 'names'],
  queryFn: ({ signal }) => readAll<BackupJob>('/v1/backup-jobs', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

const channelsQuery = queryOptions({
  queryKey: ['channels', 'names'],
  queryFn: ({ signal }) => readAll<Channel>('/v1/channels', {}, PAGES_MAX, signal),
  staleTime: RARE_MS,
});

/** What rules can watch and notify; empty until it is loaded. */
export interface Options {
  servers: Option[];
  blacklistMonitors: Option[];
  backupJobs: Option[];
  channels: Option[];
  names: Names;
}

export function useOptions(): Options {
  const servers = (useQuery(serversQuery).data?.rows ?? []).map(({ id, name }) => ({ id, name }));
  const blacklistMonitors = (useQuery(blacklistMonitorsQuery).data?.rows ?? []).map(({ id, target }) => ({
    ...{ id, name: target },
  }));
  const backupJobs = (useQuery(backupJobsQuery).data?.rows ?? []).map(({ id, name }) => ({ id, name }));
  const channels = (useQuery(channelsQuery).data?.rows ?? []).map(({ id, name }) => ({ id, name }));
  const names = new Map(
    [...servers, ...blacklistMonitors, ...backupJobs, ...channels].map(({ id, name }) => [id, name]),
  );
  return { servers, blacklistMonitors, backupJobs, channels, names };
}
