import type { Role } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';

/** A member of a workspace, and the role that they have from now on; null when they are not a member any more. */
export interface ChangedMember {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role | null;
}

/** An address that was a member's of the workspace: they have changed it, or are no member any more. */
export interface LeftAddress extends Pick<ChangedMember, 'workspaceId' | 'email'> {
  /** The address that the member has now; null for somebody who is no member any more. */
  newEmail: string | null;
}

/** The address of somebody who has just become a member. */
export type JoinedAddress = Pick<ChangedMember, 'workspaceId' | 'email'>;

/** How much ended, and what the audit entry says of it beside the number. */
export interface EndedAccess {
  count: number;
  metadata?: Readonly<Record<string, unknown>>;
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
    | 'activation_codes_ended'
    | 'calendar_feeds_revoked'
    | 'channels_to_confirm';
  /**
   * Ends what the new role does not include, so that it does not come back with the next role. Resolves to the number, or to
   * more than that.
   */
  end(tx: Transaction, member: ChangedMember): Promise<number | EndedAccess>;
  /** Ends what was sent to an address that is not the member's any more. Missing where nothing is sent to an address. */
  endOfAddress?(tx: Transaction, left: LeftAddress): Promise<number | EndedAccess>;
  /** Ends what would let the person in another time once they are no member any more. Missing where there is no such thing. */
  endOnJoin?(tx: Transaction, joined: JoinedAddress): Promise<number>;
}

/** What ended, by name, without what had nothing: for the audit entry. */
export type Ended = Record<string, unknown>;

/** Ends what a member of the new role may not have. */
export type EndMemberAccess = (tx: Transaction, member: ChangedMember) => Promise<Ended>;

/** Ends what was sent to an address of a member that is theirs no more. */
export type EndAddressAccess = (tx: Transaction, left: LeftAddress) => Promise<Ended>;

/** `all` returns the list of all slices. Every change that removes a member or gives another role goes through it. */
export function createEndMemberAccess(all: () => readonly MemberAccess[]): EndMemberAccess {
  return (tx, member) => inTurn(all(), (one) => one.end(tx, member));
}

/** The same for a member who keeps their role, and has another address from now on. */
export function createEndAddressAccess(all: () => readonly MemberAccess[]): EndAddressAccess {
  return (tx, left) => inTurn(all(), async (one) => (await one.endOfAddress?.(tx, left)) ?? 0);
}

/** Ends what would let somebody in again who has just become a member. */
export type EndOnJoin = (tx: Transaction, joined: JoinedAddress) => Promise<Ended>;

export function createEndOnJoin(all: () => readonly MemberAccess[]): EndOnJoin {
  return (tx, joined) => inTurn(all(), async (one) => (await one.endOnJoin?.(tx, joined)) ?? 0);
}

/** One after the other, because a transaction has one connection. */
async function inTurn(
  all: readonly MemberAccess[],
  end: (one: MemberAccess) => Promise<number | EndedAccess>,
): Promise<Ended> {
  const ended: Ended = {};
  for (const one of all) {
    const result = await end(one);
    const { count, metadata = {} } = typeof result === 'number' ? { count: result } : result;
    if (count > 0) Object.assign(ended, { [one.name]: count }, metadata);
  }
  return ended;
}
