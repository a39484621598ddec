import type { Clock } from '../../kernel/clock.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { memberActor } from '../accounts/person-actor.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';

/**
 * Returns a person who acts without a session, for example with the link of an e-mail, in the workspace that a log-in
 * would open; null without any workspace. For the audit log only.
 */
export async function actorInLastWorkspace(
  needs: { workspaces: WorkspacesStore; memberships: MembershipsStore; clock: Clock },
  tx: Transaction,
  user: UserDocument,
  client: Client,
): Promise<Actor | null> {
  const membership = await needs.memberships.lastOf(user, tx);
  const workspace = membership === null ? null : await needs.workspaces.document(tx, membership.workspace_id);
  if (membership === null || workspace === null) return null;
  return memberActor({ user, workspace, role: membership.role }, client, needs.clock.now());
}
