import type { Clock } from '../../kernel/clock.js';
import type { ConfirmationStore } from '../accounts/confirmation-store.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { OneTimeTokens } from '../accounts/one-time-tokens/one-time-tokens.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError } from '../errors.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';
import { actorInLastWorkspace } from './actor-in-last-workspace.js';
import { type LeavePlantedNeeds, leavePlantedWorkspace } from './leave-planted.js';
import {
  endUnverifiedDeletion,
  revokeUnverifiedAccess,
  type UnverifiedAccessNeeds,
} from './revoke-unverified-access.js';
import { CONFIRM_EMAIL, RESET_PASSWORD } from './token-purposes.js';

/**
 * Gives an account to the owner of its address, for whom the operator's proxy or identity provider has just vouched.
 * Whoever created it before, with an address that nobody had proved, loses every way into it. Does nothing to an account
 * whose address was proved. Resolves to the account as it is then.
 */
export type ProveAddress = (
  tx: Transaction,
  userId: string,
  by: {
    method: 'header' | 'single_sign_on';
    client: Client;
    /** Whether the account then opens no workspace with others in it. Otherwise the caller decides which one it opens. */
    leavesPlanted: boolean;
  },
) => Promise<UserDocument>;

interface ProveAddressNeeds extends UnverifiedAccessNeeds, LeavePlantedNeeds {
  users: UsersStore;
  workspaces: WorkspacesStore;
  memberships: MembershipsStore;
  confirmations: ConfirmationStore;
  tokens: Pick<OneTimeTokens, 'revoke'>;
  audit: AuditLog;
  clock: Clock;
}

/** Whether somebody proved that the address is theirs: that it counts as confirmed is not enough. Pure. */
export function isAddressProved(user: Pick<UserDocument, 'email_confirmed_at_ms' | 'email_assumed'>): boolean {
  return user.email_confirmed_at_ms !== null && user.email_assumed !== true;
}

export function createProveAddress(needs: ProveAddressNeeds): ProveAddress {
  const { users, confirmations, tokens, audit, clock } = needs;

  async function found(tx: Transaction, userId: string): Promise<UserDocument> {
    const user = await users.findIn(tx, userId);
    if (user === null) throw new AppError('unauthenticated', 'This account does not exist any more.');
    return user;
  }

  return async (tx, userId, { method, client, leavesPlanted }) => {
    const user = await found(tx, userId);
    if (isAddressProved(user)) return user;
    const revoked = await revokeUnverifiedAccess(needs, tx, user);
    // Somebody may have asked for another address, and could make it that of the account.
    await tokens.revoke(tx, CONFIRM_EMAIL, userId);
    await tokens.revoke(tx, RESET_PASSWORD, userId);
    await confirmations.confirm(tx, userId, clock.now());
    await users.giveToOwner(tx, userId);
    const deletion = await endUnverifiedDeletion(users, tx, user);
    const actor = await actorInLastWorkspace(needs, tx, user, client);
    if (actor !== null) {
      const metadata = { method, first_proof_of_address: true, ...revoked, ...deletion };
      const resource = { type: 'user', id: userId, name: user.email };
      await audit.record(tx, actor, { action: 'auth.email_confirmed', resource, metadata });
    }
    const owned = await found(tx, userId);
    return leavesPlanted ? leavePlantedWorkspace(needs, tx, owned, client) : owned;
  };
}
