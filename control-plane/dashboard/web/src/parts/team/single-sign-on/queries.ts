import { queryOptions } from '@tanstack/react-query';
import { read } from '../../../api/read.ts';
import { readAll } from '../../../api/read-all.ts';
import type { One, SingleSignOn, SingleSignOnDomain } from '../../../api/types.ts';

const PAGES_MAX = 1;

/** The identity provider of the workspace; null while there is none. */
export const providerQuery = queryOptions({
  queryKey: ['team', 'single-sign-on'],
  queryFn: async ({ signal }) => (await read<One<SingleSignOn | null>>('/v1/single-sign-on', {}, signal)).data,
});

export const domainsQuery = queryOptions({
  queryKey: ['team', 'domains'],
  queryFn: ({ signal }) => readAll<SingleSignOnDomain>('/v1/single-sign-on/domains', {}, PAGES_MAX, signal),
});
