import { queryOptions } from '@tanstack/react-query';
import { apiPath } from '../../api/path.ts';
import { read } from '../../api/read.ts';
import { readAll } from '../../api/read-all.ts';
import type { EmailDomain, EmailDomainWithAreas, One } from '../../api/types.ts';

export const domainsPath = '/api/v1/email-domains';
const SLOW_MS = 60_000;
/** While a check is due. */
const FAST_MS = 2_000;
/** All that a plan allows. */
const PAGES_MAX = 5;

export const domainsQuery = queryOptions({
  queryKey: ['email-domains'],
  queryFn: ({ signal }) => readAll<EmailDomain>(domainsPath, {}, PAGES_MAX, signal),
  refetchInterval: SLOW_MS,
});

export const domainQuery = (id: string) =>
  queryOptions({
    queryKey: ['email-domain', id],
    queryFn: async ({ signal }) =>
      (await read<One<EmailDomainWithAreas>>(apiPath`/api/v1/email-domains/${id}`, {}, signal)).data,
    refetchInterval: ({ state: { data } }) =>
      data !== undefined && Date.parse(data.next_check_at) <= Date.now() ? FAST_MS : SLOW_MS,
  });
