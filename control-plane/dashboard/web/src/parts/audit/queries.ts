import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { AuditEntry, Forwarder, Page } from '../../api/types.ts';
import { type AuditFilter, auditQuery } from './filter.ts';

const PAGE_ENTRIES = 50;
const LIVE_MS = 60_000;
/** More than a workspace can have. */
const FORWARDERS_MAX = 50;

export const auditLogQuery = (filter: AuditFilter) =>
  infiniteQueryOptions({
    queryKey: ['audit', 'list', filter],
    queryFn: ({ pageParam, signal }) =>
      read<Page<AuditEntry>>(
        '/v1/audit-logs',
        { ...auditQuery(filter), limit: String(PAGE_ENTRIES), cursor: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

/** The latest entry that says that the log was tampered with; null without one. */
export const brokenChainQuery = queryOptions({
  queryKey: ['audit', 'broken'],
  queryFn: async ({ signal }) => {
    const { data } = await read<Page<AuditEntry>>(
      '/v1/audit-logs',
      { action: 'audit.chain_broken', limit: '1' },
      signal,
    );
    return data[0] ?? null;
  },
  staleTime: LIVE_MS,
});

/** Lags change without an event. */
export const forwardersQuery = queryOptions({
  queryKey: ['forwarders'],
  queryFn: async ({ signal }) =>
    (await read<Page<Forwarder>>('/v1/audit-logs/forwarders', { limit: String(FORWARDERS_MAX) }, signal)).data,
  refetchInterval: LIVE_MS,
});
