import { queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { AlertRule, Channel, Monitor, One } from '../../api/types.ts';

const RARE_MS = 60_000;
const CHANNEL_PAGES_MAX = 5;
/** 2,000 monitors: enough to name those that would notify nobody, and few enough for the requests a minute. */
const MONITOR_PAGES_MAX = 10;
/** As many as a workspace can have. */
const RULE_PAGES_MAX = 3;

export const channelsQuery = queryOptions({
  queryKey: ['channels'],
  queryFn: ({ signal }) => readAll<Channel>('/v1/channels', {}, CHANNEL_PAGES_MAX, signal),
  refetchInterval: RARE_MS,
});

export const channelQuery = (id: string) =>
  queryOptions({
    queryKey: ['channel', id],
    queryFn: async ({ signal }) => (await read<One<Channel>>(apiPath`/v1/channels/${id}`, {}, signal)).data,
    refetchInterval: RARE_MS,
  });

/** The monitors by whose settings a channel is notified. Read only when somebody is about to delete one. */
export const notifyingMonitorsQuery = queryOptions({
  queryKey: ['monitors', 'notifying'],
  queryFn: ({ signal }) => readAll<Monitor>('/v1/monitors', {}, MONITOR_PAGES_MAX, signal),
  staleTime: RARE_MS,
});

/** The same with the alert rules. */
export const notifyingRulesQuery = queryOptions({
  queryKey: ['alert-rules', 'notifying'],
  queryFn: ({ signal }) => readAll<AlertRule>('/v1/alert-rules', {}, RULE_PAGES_MAX, signal),
  staleTime: RARE_MS,
});
