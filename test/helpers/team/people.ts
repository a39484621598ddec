import type { MembershipDocument, UserDocument, WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { Role } from '../../../control-plane/roles.js';
import type { SessionDocument } from '../../../control-plane/sessions/documents.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { buildKey, buildSession } from '../factories.js';
import { wholeText } from '../http/whole-text.js';

const ids = createIds(systemClock, systemRandom);

/** A person in a workspace, with the two ways to call the API. */
export interface Person {
  workspaceId: string;
  userId: string;
  email: string;
  role: Role;
  /** The header of a session that was confirmed just now. */
  cookie: string;
  /** A key with full access. */
  key: string;
}

/** Stores a workspace that nobody is a member of. */
export async function storeWorkspace(mongo: Mongo, options: Partial<WorkspaceDocument> = {}): Promise<string> {
  const _id = ids.next('ws');
  await mongo.db
    .collection<WorkspaceDocument>('workspaces')
    .insertOne({ _id, name: `Team ${_id.slice(-4)}`, plan: 'Enterprise', created_at_ms: Date.now(), ...options });
  return _id;
}

/** Stores a person with a session and a key of the workspace. `user` can name somebody who exists. */
export async function storePerson(
  mongo: Mongo,
  workspaceId: string,
  role: Role,
  options: { user?: Partial<UserDocument>; existing?: Person; session?: Partial<SessionDocument> } = {},
): Promise<Person> {
  const nowMs = Date.now();
  const { db } = mongo;
  const userId = options.existing?.userId ?? ids.next('usr');
  const email = options.existing?.email ?? options.user?.email ?? `${userId}@example.com`;
  const base = { email, password_hash: null, created_at_ms: nowMs };
  if (options.existing === undefined)
    await db.collection<UserDocument>('users').insertOne({ ...base, ...options.user, _id: userId });
  await db.collection<MembershipDocument>('memberships').insertOne({
    ...{ _id: membershipId(workspaceId, userId), workspace_id: workspaceId, user_id: userId, role },
    created_at_ms: nowMs,
  });
  const cookie = await storeSession(mongo, { userId, workspaceId, ...options.session });
  const { key } = await buildKey(mongo, { id: workspaceId, userId });
  return { workspaceId, userId, email, role, cookie, key };
}

/** Resolves to the header of a new session. */
export async function storeSession(
  mongo: Mongo,
  { userId, workspaceId, ...options }: { userId: string; workspaceId: string } & Partial<SessionDocument>,
): Promise<string> {
  return (await buildSession(mongo, { id: workspaceId, userId }, options)).cookie;
}

/** Returns the header that authenticates a request: a cookie or a key. */
export function credentialHeader(credential: string): Record<string, string> {
  return credential.startsWith('pk_live_') ? { authorization: `Bearer ${credential}` } : { cookie: credential };
}

export interface PersonAnswer {
  status: number;
  headers: Headers;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: the tests assert the shapes.
  body: any;
}

/** Sends a request with a cookie, a key or, for null, without a credential. */
export async function requestAs(
  url: string,
  credential: string | null,
  [method, path, body]: [method: string, path: string, body?: unknown],
): Promise<PersonAnswer> {
  const response = await fetch(`${url}${path}`, {
    method,
    redirect: 'manual',
    headers: {
      ...(credential === null ? {} : credentialHeader(credential)),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await wholeText(response);
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, text, body: isJson ? JSON.parse(text) : {} };
}
