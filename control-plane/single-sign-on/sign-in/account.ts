import type { RefusalReason } from './refusal.js';

/** What Picket knows of a person when an identity provider vouches for them. */
export interface KnownPerson {
  /** The user that this subject of this provider was linked with; null before the first log-in. */
  linked: Pick<ExistingAccount, 'userId' | 'isMember' | 'hasOtherWorkspace' | 'isOperatorElsewhere'> | null;
  /** The user with the e-mail address; null without one. */
  byEmail: ExistingAccount | null;
}

export interface ExistingAccount {
  userId: string;
  isMember: boolean;
  hasOtherWorkspace: boolean;
  /** Whether there is a password, a passkey or another second factor: somebody can log in without this provider. */
  hasOwnSignIn: boolean;
  /** Whether the person may change the whole installation, and the provider is not that of the operators' workspace. */
  isOperatorElsewhere: boolean;
  /** Whether the person proved that the address is theirs. Somebody else could have signed up with it. */
  isProved: boolean;
  /** Whether another subject of the same provider is linked with this user. */
  hasOtherSubject: boolean;
}

export type AccountDecision =
  | { kind: 'sign_in' | 'link'; userId: string }
  | { kind: 'create' }
  | { kind: 'refuse'; reason: RefusalReason };

/**
 * Decides which account a person gets whom the identity provider of a workspace vouches for. The e-mail address is in a
 * verified domain of the workspace. Owners of the workspace control the provider, so they could claim any address of
 * the domain: an account that is not a member, and that somebody uses in another way, is never theirs to open.
 */
export function accountForWorkspace({ linked, byEmail }: KnownPerson): AccountDecision {
  // Whoever controls the provider of another workspace must not come near an account that could change all of them.
  if (linked?.isOperatorElsewhere === true || byEmail?.isOperatorElsewhere === true) {
    return { kind: 'refuse', reason: 'operator_account' };
  }
  if (linked !== null) {
    if (linked.isMember) return { kind: 'sign_in', userId: linked.userId };
    return { kind: 'refuse', reason: 'member_removed' };
  }
  if (byEmail === null) return { kind: 'create' };
  if (byEmail.hasOtherSubject) return { kind: 'refuse', reason: 'subject_changed' };
  // Whoever signed up with the address still has the password.
  if (!byEmail.isProved && byEmail.hasOwnSignIn) return { kind: 'refuse', reason: 'account_unconfirmed' };
  const isUnused = !byEmail.hasOwnSignIn && !byEmail.hasOtherWorkspace;
  if (byEmail.isMember || isUnused) return { kind: 'link', userId: byEmail.userId };
  return { kind: 'refuse', reason: 'account_exists' };
}

/**
 * The same for the identity provider of the whole installation. Its operator trusts it, so an address that it has
 * verified opens the account of that address; the caller takes it from whoever created it without a proof of the
 * address. Somebody who was removed from their last workspace does not come back.
 */
export function accountForInstallation({ linked, byEmail }: KnownPerson): AccountDecision {
  if (linked !== null) {
    if (linked.isMember || linked.hasOtherWorkspace) return { kind: 'sign_in', userId: linked.userId };
    return { kind: 'refuse', reason: 'member_removed' };
  }
  if (byEmail === null) return { kind: 'create' };
  if (byEmail.hasOtherSubject) return { kind: 'refuse', reason: 'subject_changed' };
  return { kind: 'link', userId: byEmail.userId };
}
