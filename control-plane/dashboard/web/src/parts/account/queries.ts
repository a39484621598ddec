import { queryOptions } from '@tanstack/react-query';
import { read } from '../../api/read.ts';
import type { One, Page, Passkey, SecondFactorOverview, Session } from '../../api/types.ts';

const RARE_MS = 60_000;
/** The largest page of the API; nobody has as many passkeys, and who has as many sessions can end all at once. */
const ROWS = '200';

export const secondFactorQuery = queryOptions({
  queryKey: ['second-factor'],
  queryFn: async ({ signal }) => (await read<One<SecondFactorOverview>>('/v1/auth/mfa', {}, signal)).data,
});

export const passkeysQuery = queryOptions({
  queryKey: ['passkeys'],
  queryFn: async ({ signal }) => (await read<Page<Passkey>>('/v1/auth/passkeys', { limit: ROWS }, signal)).data,
});

export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: async ({ signal }) => (await read<Page<Session>>('/v1/auth/sessions', { limit: ROWS }, signal)).data,
  refetchInterval: RARE_MS,
});
