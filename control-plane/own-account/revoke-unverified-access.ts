import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Transaction } from '../storage/transaction.js';

export interface UnverifiedAccessNeeds {
  memberships: Pick<MembershipsStore, 'of'>;
  /** Deletes the second factors and passkeys of a person. */
  forgetFactors(tx: Transaction, userId: string): Promise<void>;
  /** Revokes the API keys that a person created in a workspace. Resolves to their number. */
  revokeKeysOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
  /** Revokes the invitations that a person sent from a workspace. Resolves to their number. */
  revokeInvitationsOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
  /** Revokes the unused join tokens that a person created in a workspace. Resolves to their number. */
  revokeJoinTokensOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
}

/** What it ended, as the audit log says it. */
interface RevokedAccess {
  api_keys_revoked: number;
  invitations_revoked: number;
  join_tokens_revoked: number;
}

/**
 * Ends every way into an account that was set up before anybody proved that the address is theirs, and the invitations and join
 * tokens that it made. Whoever signed up with the address of somebody else could otherwise go on with a passkey or an API key after its
 * owner has taken the account over, keep the owner out with an authenticator app, or join the workspace later.
 */
export async function revokeUnverifiedAccess(
  { memberships, forgetFactors, revokeKeysOf, revokeInvitationsOf, revokeJoinTokensOf }: UnverifiedAccessNeeds,
  tx: Transaction,
  userId: string,
): Promise<RevokedAccess> {
  await forgetFactors(tx, userId);
  const revoked = { api_keys_revoked: 0, invitations_revoked: 0, join_tokens_revoked: 0 };
  for (const { workspace_id } of await memberships.of(tx, userId)) {
    revoked.api_keys_revoked += await revokeKeysOf(tx, workspace_id, userId);
    revoked.invitations_revoked += await revokeInvitationsOf(tx, workspace_id, userId);
    revoked.join_tokens_revoked += await revokeJoinTokensOf(tx, workspace_id, userId);
  }
  return revoked;
}

/**
 * Ends a deletion of the account that somebody asked for before anybody proved that the address is theirs: it is no wish of
 * the owner, who may not have got the mail about it. Resolves to what the audit log says of it.
 */
export async function endUnverifiedDeletion(
  users: Pick<UsersStore, 'setDeletion'>,
  tx: Transaction,
  user: Pick<UserDocument, '_id' | 'deletion'>,
): Promise<{ deletion_cancelled?: true }> {
  if (user.deletion == null) return {};
  await users.setDeletion(tx, user._id, null);
  return { deletion_cancelled: true };
}
