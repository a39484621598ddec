import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { Transaction } from '../storage/transaction.js';

export interface UnverifiedAccessNeeds {
  memberships: Pick<MembershipsStore, 'of'>;
  /** Deletes the second factors and passkeys of a person. */
  forgetFactors(tx: Transaction, userId: string): Promise<void>;
  /** Revokes the API keys that a person created in a workspace. Resolves to their number. */
  revokeKeysOf(tx: Transaction, workspaceId: string, userId: string): Promise<number>;
}

/**
 * Ends every way into an account that was set up before anybody proved that the address is theirs. Whoever signed up with
 * the address of somebody else could otherwise go on with a passkey or an API key after its owner has taken the account
 * over, or keep the owner out with an authenticator app. Resolves to the number of API keys that it revoked.
 */
export async function revokeUnverifiedAccess(
  { memberships, forgetFactors, revokeKeysOf }: UnverifiedAccessNeeds,
  tx: Transaction,
  userId: string,
): Promise<number> {
  await forgetFactors(tx, userId);
  let revoked = 0;
  for (const { workspace_id } of await memberships.of(tx, userId)) {
    revoked += await revokeKeysOf(tx, workspace_id, userId);
  }
  return revoked;
}
