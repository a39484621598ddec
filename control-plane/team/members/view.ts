import { isoOrNull, toIso } from '../../../kernel/clock.js';
import type { Member as MemberView } from '../schema.js';
import type { Member } from './store.js';

/** Resolves to those of these users who have a second factor. */
export type SecondFactorsOf = (userIds: readonly string[]) => Promise<ReadonlySet<string>>;

export async function memberViews(rows: readonly Member[], secondFactorsOf: SecondFactorsOf): Promise<MemberView[]> {
  const secured = await secondFactorsOf(rows.map(({ user }) => user._id));
  return rows.map(({ membership, user }) => ({
    id: user._id,
    email: user.email,
    role: membership.role,
    second_factor: secured.has(user._id),
    joined_at: toIso(membership.created_at_ms),
    last_active_at: isoOrNull(membership.last_active_at_ms ?? null),
  }));
}

/** Returns the version of a membership, which counts the changes of its role. */
export function memberVersion({ membership }: Pick<Member, 'membership'>): number {
  return 1 + (membership.changes ?? 0);
}
