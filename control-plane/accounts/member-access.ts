import type { Role } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';

/** A member of a workspace, and the role that they have from now on; null when they are not a member any more. */
export interface ChangedMember {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role | null;
}

/**
 * A kind of access to a workspace that a member has made, or that was sent to them. Each slice gives what it stores to one
 * list. Event streams are not in it: each reads the rights of its session or key again, and ends with them.
 */
export interface MemberAccess {
  /** As the audit log counts what ended. */
  name:
    | 'sessions_ended'
    | 'api_keys_revoked'
    | 'invitations_revoked'
    | 'join_tokens_revoked'
    | 'link_channels_revoked'
    | 'activation_codes_ended';
  /** Ends what the new role does not include, so that it does not come back with the next role. Resolves to the number. */
  end(tx: Transaction, member: ChangedMember): Promise<number>;
}

/** Ends what a member of the new role may not have. Resolves to what ended, by name, without what had nothing. */
export type EndMemberAccess = (tx: Transaction, member: ChangedMember) => Promise<Record<string, number>>;

/** `all` returns the list of all slices. Every change that removes a member or gives another role goes through it. */
export function createEndMemberAccess(all: () => readonly MemberAccess[]): EndMemberAccess {
  return async (tx, member) => {
    const ended: Record<string, number> = {};
    // One after the other, because a transaction has one connection.
    for (const { name, end } of all()) {
      const count = await end(tx, member);
      if (count > 0) ended[name] = count;
    }
    return ended;
  };
}
