import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import type { AdminLocation, AdminWorkspace, AdminWorkspaceUsage, One, Page, Probe } from '../../api/types.ts';
import type { WorkspaceFilter } from './workspaces/filter.ts';

const LIVE_MS = 60_000;
const ROWS = '200';
const WORKSPACE_ROWS = '50';

/** Probes have no events, so they are read again. */
export const probesQuery = infiniteQueryOptions({
  queryKey: ['probes'],
  queryFn: ({ pageParam, signal }) => read<Page<Probe>>('/v1/admin/probes', { limit: ROWS, cursor: pageParam }, signal),
  initialPageParam: '',
  getNextPageParam: (page) => page.next_cursor,
  refetchInterval: LIVE_MS,
});

export const adminLocationsQuery = queryOptions({
  queryKey: ['locations', 'admin'],
  queryFn: async ({ signal }) => (await read<Page<AdminLocation>>('/v1/admin/locations', { limit: ROWS }, signal)).data,
  refetchInterval: LIVE_MS,
});

export const workspacesQuery = (filter: WorkspaceFilter) =>
  infiniteQueryOptions({
    queryKey: ['workspaces', filter],
    queryFn: ({ pageParam, signal }) =>
      read<Page<AdminWorkspace>>(
        '/v1/admin/workspaces',
        { ...filter, limit: WORKSPACE_ROWS, cursor: pageParam },
        signal,
      ),
    initialPageParam: '',
    getNextPageParam: (page) => page.next_cursor,
  });

export const operatedWorkspaceQuery = (id: string) =>
  queryOptions({
    queryKey: ['workspace', id],
    queryFn: async ({ signal }) =>
      (await read<One<AdminWorkspaceUsage>>(apiPath`/v1/admin/workspaces/${id}`, {}, signal)).data,
  });
