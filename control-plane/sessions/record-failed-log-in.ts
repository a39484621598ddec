import type { Workspaces } from '../accounts/accounts.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { strangerActor } from '../accounts/person-actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Transaction } from '../storage/transaction.js';
import type { RecordFailedLogIn } from './failed-log-in.js';

export function createRecordFailedLogIn(needs: {
  workspaces: Workspaces;
  memberships: MembershipsStore;
  audit: AuditLog;
}): RecordFailedLogIn {
  const { workspaces, memberships, audit } = needs;

  async function workspaceOf(tx: Transaction, user: UserDocument): Promise<string | null> {
    const last = user.last_workspace_id;
    const membership = last === undefined ? null : await memberships.find(tx, last, user._id);
    return (membership ?? (await memberships.newestOf(tx, user._id)))?.workspace_id ?? null;
  }

  return async (tx, failed) => {
    const own = failed.user === null ? null : await workspaceOf(tx, failed.user);
    const workspaceId = own ?? (await workspaces.operators())?.id;
    if (workspaceId === undefined) return;
    // The person is not known to be who they say they are, but the entry belongs to that account.
    const who = { userId: failed.user?._id ?? null, email: failed.user?.email ?? failed.email };
    await audit.record(tx, strangerActor(workspaceId, who, failed.client), {
      action: 'auth.login_failed',
      resource: { type: 'user', id: failed.user?._id ?? 'unknown', name: failed.email },
      metadata: { method: failed.method, reason: failed.reason, user_agent: failed.client.userAgent },
    });
  };
}
