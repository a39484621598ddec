import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import { lockTeam } from './lock-team.js';
import type { MemberNeeds } from './needs.js';
import type { Member } from './store.js';
import { memberVersion } from './view.js';

export interface MemberToChange {
  userId: string;
  ifVersion: number | null;
}

/** Resolves to a member who is about to be changed, and to the actor with their present role. Locks the team. */
export async function memberToChange(
  { members, memberships }: MemberNeeds,
  tx: Transaction,
  actor: Actor,
  { userId, ifVersion }: MemberToChange,
): Promise<{ member: Member; by: Actor }> {
  const role = await lockTeam(memberships, tx, actor);
  const member = await members.findIn(tx, actor.workspaceId, userId);
  if (member === null) throw notFound('member');
  requireVersion(ifVersion, memberVersion(member));
  return { member, by: { ...actor, role } };
}
