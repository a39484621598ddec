import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { One, Workspace } from '../../api/types.ts';

export const workspaceQuery = queryOptions({
  queryKey: ['workspace'],
  queryFn: async ({ signal }) => (await read<One<Workspace>>('/v1/workspace', {}, signal)).data,
  refetchInterval: 60_000,
});
