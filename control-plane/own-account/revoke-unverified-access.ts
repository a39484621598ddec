import type { UserDocument } from '../accounts/documents.js';
import type { EndMemberAccess } from '../accounts/member-access.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Sessions } from '../sessions/sessions.js';
import type { Transaction } from '../storage/transaction.js';

/** A workspace and the address whose own e-mail channels stay as they are. */
interface ChannelsOfWorkspace {
  workspaceId: string;
  exceptTo: string;
}

export interface UnverifiedAccessNeeds {
  memberships: Pick<MembershipsStore, 'of'>;
  workspaces: Pick<WorkspacesStore, 'document'>;
  sessions: Pick<Sessions, 'endAll'>;
  /** Deletes the second factors and passkeys of a person. */
  forgetFactors(tx: Transaction, userId: string): Promise<void>;
  /** Ends what a person made or got in a workspace that gives access to it. */
  endAccess: EndMemberAccess;
  /** Disables the channels of a workspace. Resolves to their number. */
  disableChannels(tx: Transaction, of: ChannelsOfWorkspace): Promise<number>;
}

/**
 * Ends every way into an account that was set up before anybody proved that the address is theirs, what it made that gives access
 * to its workspaces, and the channels of workspaces that nobody has confirmed. Whoever signed up with the address of somebody else
 * could otherwise go on with a passkey or an API key after its owner has taken the account over, keep the owner out with an
 * authenticator app, join the workspace later, or get its alerts. Call it before the address counts as confirmed. Resolves to what
 * ended, as the audit log counts it.
 */
export async function revokeUnverifiedAccess(
  needs: UnverifiedAccessNeeds,
  tx: Transaction,
  { _id: userId, email }: Pick<UserDocument, '_id' | 'email'>,
): Promise<Record<string, number>> {
  const ended: Record<string, number> = {};
  const count = (name: string, more: number) => {
    if (more > 0) ended[name] = (ended[name] ?? 0) + more;
  };
  count('sessions_ended', await needs.sessions.endAll(tx, userId));
  await needs.forgetFactors(tx, userId);
  for (const { workspace_id: workspaceId, role } of await needs.memberships.of(tx, userId)) {
    const access = await needs.endAccess(tx, { workspaceId, userId, email, role: null });
    // What the audit entry of a member says beside the numbers is left out: these channels are disabled below.
    for (const [name, value] of Object.entries(access)) if (typeof value === 'number') count(name, value);
    const workspace = await needs.workspaces.document(tx, workspaceId);
    if (role !== 'owner' || workspace?.confirmed_at_ms !== null) continue;
    count('channels_disabled', await needs.disableChannels(tx, { workspaceId, exceptTo: email }));
  }
  return ended;
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
