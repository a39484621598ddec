import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import type { TestWorkspace } from '../factories.js';

export async function userOf(mongo: Mongo, { userId }: TestWorkspace) {
  const user = await createUsersStore(mongo.db).find(userId);
  if (user === null) throw new Error(`no user ${userId}`);
  return user;
}

/** Returns the audit entries of a workspace, oldest first. */
export function auditActions(mongo: Mongo, { id }: TestWorkspace) {
  return mongo.db.collection<AuditDocument>('audit_log').find({ workspace_id: id }).sort({ _id: 1 }).toArray();
}
