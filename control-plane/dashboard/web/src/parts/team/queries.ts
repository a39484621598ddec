import { queryOptions } from '@tanstack/react-query';
import { readAll } from '../../api/read-all.ts';
import type { Invitation, Member } from '../../api/types.ts';

const RARE_MS = 60_000;
/** 1,000 members and 100 open invitations at most; expired ones are kept for 30 days. */
const PAGES_MAX = 5;

export const membersQuery = queryOptions({
  queryKey: ['team', 'members'],
  queryFn: ({ signal }) => readAll<Member>('/v1/team/members', {}, PAGES_MAX, signal),
  refetchInterval: RARE_MS,
});

export const invitationsQuery = queryOptions({
  queryKey: ['team', 'invitations'],
  queryFn: ({ signal }) => readAll<Invitation>('/v1/team/invitations', {}, PAGES_MAX, signal),
  refetchInterval: RARE_MS,
});
