import type { Workspaces } from '../accounts/accounts.js';
import type { UserDocument } from '../accounts/documents.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { type Actor, platformActor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Transaction } from '../storage/transaction.js';
import type { FailedLogIn, RecordFailedLogIn } from './failed-log-in.js';

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
    await audit.record(tx, whoTried(workspaceId, failed), {
      action: 'auth.login_failed',
      resource: { type: 'user', id: failed.user?._id ?? 'unknown', name: failed.email },
      metadata: { method: failed.method, reason: failed.reason, user_agent: failed.client.userAgent },
    });
  };
}

/** The person is not known to be who they say they are, but the entry belongs to that account. */
function whoTried(workspaceId: string, { user, email, client }: FailedLogIn): Actor {
  const { ip, userAgent, requestId } = client;
  return {
    ...platformActor(workspaceId),
    ...{ kind: 'session', userId: user?._id ?? null, email: user?.email ?? email, ip, userAgent, requestId },
  };
}
