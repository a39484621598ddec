import { queryOptions } from '@tanstack/react-query';
import { readAll } from '../../api/read-all.ts';
import type { ApiKey } from '../../api/types.ts';

/** At most 100 keys are active; expired ones stay in the list until they are revoked. */
const PAGES_MAX = 5;

export const apiKeysQuery = queryOptions({
  queryKey: ['api-keys'],
  queryFn: ({ signal }) => readAll<ApiKey>('/v1/api-keys', {}, PAGES_MAX, signal),
  refetchInterval: 60_000,
});
