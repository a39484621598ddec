import type { Db } from 'mongodb';
import type { Role } from '../../../control-plane/roles.js';
import type { InvitationDocument } from '../../../control-plane/team/documents.js';
import type { TestWorkspace } from '../factories.js';

/** Stores an open invitation by the owner of the workspace, whose link nobody has. */
export async function storeInvitation(
  db: Db,
  workspace: Pick<TestWorkspace, 'id' | 'userId' | 'email'>,
  email: string,
  role: Role = 'admin',
): Promise<void> {
  const nowMs = Date.now();
  await db.collection<InvitationDocument>('invitations').insertOne({
    ...{ _id: `inv_${workspace.id}_${email}`, workspace_id: workspace.id, email, role },
    invited_by: { id: workspace.userId, email: workspace.email },
    ...{ token_hash: `${workspace.id}/${email}`, created_at_ms: nowMs, sent_at_ms: nowMs, version: 1 },
    ...{ expires_at_ms: nowMs + 86_400_000, remove_at: new Date(nowMs + 86_400_000) },
  });
}
