import { queryOptions } from '@tanstack/react-query';
import { ApiProblem } from '../../../api/client.ts';
import { read } from '../../../api/read.ts';
import { readAll } from '../../../api/read-all.ts';
import type { One, SingleSignOn, SingleSignOnDomain, Workspace } from '../../../api/types.ts';

const PAGES_MAX = 1;

/** The identity provider of the workspace; null while there is none. Browsers report a request that is answered with 404. */
export const providerQuery = queryOptions({
  queryKey: ['team', 'single-sign-on'],
  queryFn: async ({ signal }) => {
    const workspace = (await read<One<Workspace>>('/v1/workspace', {}, signal)).data;
    if (!workspace.has_identity_provider) return null;
    try {
      return (await read<One<SingleSignOn>>('/v1/single-sign-on', {}, signal)).data;
    } catch (error) {
      if (error instanceof ApiProblem && error.status === 404) return null;
      throw error;
    }
  },
});

export const domainsQuery = queryOptions({
  queryKey: ['team', 'domains'],
  queryFn: ({ signal }) => readAll<SingleSignOnDomain>('/v1/single-sign-on/domains', {}, PAGES_MAX, signal),
});
