import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { WorkspacesStore } from '../accounts/workspaces-store.js';
import type { Actor } from '../actor.js';
import type { Client } from '../http/client/client.js';
import type { Transaction } from '../storage/transaction.js';

/**
 * Returns a person who acts without a session, for example with the link of an e-mail, in the workspace that a sign-in
 * would open; null without any workspace. For the audit log only.
 */
export async function personActor(
  needs: { workspaces: WorkspacesStore; memberships: MembershipsStore },
  tx: Transaction,
  user: UserDocument,
  client: Client,
): Promise<Actor | null> {
  const last =
    user.last_workspace_id === undefined ? null : await needs.memberships.find(tx, user.last_workspace_id, user._id);
  const membership = last ?? (await needs.memberships.newestOf(tx, user._id));
  const workspace = membership === null ? null : await needs.workspaces.document(tx, membership.workspace_id);
  if (membership === null || workspace === null) return null;
  return {
    kind: 'session',
    workspaceId: workspace._id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: user._id,
    email: user.email,
    ip: client.ip,
    userAgent: client.userAgent,
    scopes: [],
    role: membership.role,
    operator: false,
    key: null,
    session: null,
    requestId: client.requestId,
  };
}
