import { hash } from '@node-rs/argon2';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { buildWorkspace, type TestWorkspace } from '../factories.js';

export async function userOf(mongo: Mongo, { userId }: TestWorkspace) {
  const user = await createUsersStore(mongo.db).find(userId);
  if (user === null) throw new Error(`no user ${userId}`);
  return user;
}

/** Returns the audit entries of a workspace, oldest first. */
export function auditActions(mongo: Mongo, { id }: TestWorkspace) {
  return mongo.db.collection<AuditDocument>('audit_log').find({ workspace_id: id }).sort({ _id: 1 }).toArray();
}

/** Creates a person with a password who owns a workspace. */
export async function buildPerson(mongo: Mongo, email: string) {
  const workspace = await buildWorkspace(mongo, { email });
  const password = `a long password of ${email}`;
  // Like one of an earlier version, which needs no key of a control plane.
  const password_hash = await hash(password);
  await mongo.db.collection<{ _id: string }>('users').updateOne({ _id: workspace.userId }, { $set: { password_hash } });
  return { workspace, email, password };
}
