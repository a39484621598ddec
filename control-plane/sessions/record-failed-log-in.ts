import type { Workspaces } from '../accounts/accounts.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import { unauthenticatedActor } from '../accounts/person-actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { RecordFailedLogIn } from './failed-log-in.js';

export function createRecordFailedLogIn(needs: {
  workspaces: Workspaces;
  memberships: MembershipsStore;
  audit: AuditLog;
}): RecordFailedLogIn {
  const { workspaces, memberships, audit } = needs;
  return async (tx, failed) => {
    const own = failed.user === null ? null : await memberships.lastOf(failed.user, tx);
    const workspaceId = own?.workspace_id ?? (await workspaces.operators())?.id;
    if (workspaceId === undefined) return;
    // The person is not known to be who they say they are, but the entry belongs to that account.
    const who = { userId: failed.user?._id ?? null, email: failed.user?.email ?? failed.email };
    await audit.record(tx, unauthenticatedActor(workspaceId, who, failed.client), {
      action: 'auth.login_failed',
      resource: { type: 'user', id: failed.user?._id ?? 'unknown', name: failed.email },
      metadata: { method: failed.method, reason: failed.reason },
    });
  };
}
