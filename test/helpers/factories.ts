import { Binary } from 'mongodb';
import { apiKeyHash, makeApiKey } from '../../control-plane/accounts/api-keys/api-key.js';
import { createApiKeysStore } from '../../control-plane/accounts/api-keys/store.js';
import { createMembershipsStore, membershipId } from '../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../control-plane/accounts/workspaces-store.js';
import type { Actor, Role, Scope } from '../../control-plane/actor.js';
import type { Client } from '../../control-plane/http/client/client.js';
import type { PlanName } from '../../control-plane/plans/plans.js';
import type { ServerDocument } from '../../control-plane/servers/documents.js';
import { tokenHash } from '../../control-plane/sessions/cookie.js';
import type { SessionDocument } from '../../control-plane/sessions/documents.js';
import { createSessionsStore } from '../../control-plane/sessions/store.js';
import { createIds } from '../../control-plane/storage/ids.js';
import type { Mongo } from '../../control-plane/storage/mongo.js';
import { createRunTransaction, type Transaction } from '../../control-plane/storage/transaction.js';
import { systemClock } from '../../kernel/clock.js';
import { systemRandom } from '../../kernel/random.js';
import { serverDocument } from './servers/document.js';

const ids = createIds(systemClock, systemRandom);

export interface TestWorkspace {
  id: string;
  name: string;
  plan: PlanName;
  userId: string;
  email: string;
  role: Role;
  operator: boolean;
}

/**
 * Creates a workspace with one person, by default its owner. With `operator`, it operates the installation, and no workspace
 * before it does any more.
 */
export async function buildWorkspace(
  mongo: Mongo,
  options: { plan?: PlanName; name?: string; email?: string; role?: Role; operator?: boolean } = {},
): Promise<TestWorkspace> {
  const { plan = 'Enterprise', role = 'owner', operator = false } = options;
  const [id, userId] = [ids.next('ws'), ids.next('usr')];
  const { name = `Workspace ${id.slice(-6)}`, email = `${userId}@example.com` } = options;
  const created_at_ms = Date.now();
  await createRunTransaction(mongo.client)(async (tx) => {
    if (operator) await unsetOperators(mongo, tx);
    const mark = operator ? ({ operates_installation: true } as const) : {};
    await createWorkspacesStore(mongo.db).insert(tx, { _id: id, name, plan, created_at_ms, ...mark });
    await createUsersStore(mongo.db).insert(tx, { _id: userId, email, password_hash: 'none', created_at_ms });
    await createMembershipsStore(mongo.db).insert(tx, {
      _id: membershipId(id, userId),
      workspace_id: id,
      user_id: userId,
      role,
      created_at_ms,
    });
  });
  return { id, name, plan, userId, email, role, operator };
}

async function unsetOperators({ db }: Mongo, { session }: Transaction): Promise<void> {
  const mark = { operates_installation: true } as const;
  await db.collection('workspaces').updateMany(mark, { $unset: mark }, { session });
}

/** Creates an API key of a workspace. Returns the key and its ID. */
export async function buildKey(
  mongo: Mongo,
  workspace: Pick<TestWorkspace, 'id' | 'userId'>,
  options: { name?: string; scopes?: (Scope | '*')[]; expiresAtMs?: number | null } = {},
): Promise<{ id: string; key: string }> {
  const key = makeApiKey(systemRandom);
  const id = ids.next('key');
  await createRunTransaction(mongo.client)((tx) =>
    createApiKeysStore(mongo.db).insert(tx, {
      _id: id,
      workspace_id: workspace.id,
      user_id: workspace.userId,
      name: options.name ?? 'test',
      hash: apiKeyHash(key),
      last_four: key.slice(-4),
      scopes: options.scopes ?? ['*'],
      created_at_ms: Date.now(),
      last_used_at_ms: null,
      expires_at_ms: options.expiresAtMs ?? null,
      revoked_at_ms: null,
    }),
  );
  return { id, key };
}

/** Signs a person in to the workspace. Returns the session and its `Cookie` header for an app without https. */
export async function buildSession(
  mongo: Mongo,
  workspace: Pick<TestWorkspace, 'id' | 'userId'>,
  options: Partial<SessionDocument> & { nowMs?: number } = {},
): Promise<{ session: SessionDocument; cookie: string }> {
  const { nowMs = Date.now(), ...fields } = options;
  const token = systemRandom.bytes(32).toString('base64url');
  const expires_at_ms = fields.expires_at_ms ?? nowMs + 30 * 86_400_000;
  const session: SessionDocument = {
    ...{ _id: ids.next('ses'), token_hash: tokenHash(token), user_id: workspace.userId, workspace_id: workspace.id },
    ...{ created_at_ms: nowMs, last_used_at_ms: nowMs, confirmed_at_ms: nowMs },
    ...{ expires_at_ms, expires_at: new Date(Date.now() + 86_400_000) },
    ...{ second_factor: false, method: 'password', ip: '127.0.0.1', network: '127.0.0.1', user_agent: null },
    ...fields,
  };
  await createRunTransaction(mongo.client)((tx) => createSessionsStore(mongo.db).insert(tx, session));
  return { session, cookie: `picket_session=${token}` };
}

/** Returns a client as a request has it: no browser, from this machine. */
export function buildClient(options: Partial<Client> = {}): Client {
  return {
    ...{ ip: '127.0.0.1', userAgent: null, requestId: 'req_test', host: null, origin: null },
    ...{ fetchSite: null, cookie: null, peer: '127.0.0.1', header: () => null },
    ...options,
  };
}

/** Returns the actor of a full-access key of the workspace, for calls without HTTP. */
export function actorOf(workspace: TestWorkspace, options: Partial<Actor> = {}): Actor {
  return {
    kind: 'key',
    workspaceId: workspace.id,
    workspaceName: workspace.name,
    plan: workspace.plan,
    retentionPlan: workspace.plan,
    stopped: null,
    userId: workspace.userId,
    email: workspace.email,
    ip: '127.0.0.1',
    userAgent: null,
    scopes: ['*'],
    role: workspace.role,
    operator: workspace.operator,
    key: null,
    session: null,
    requestId: 'req_test',
    ...options,
  };
}

/** Stores a server. It defaults to a pending server of a workspace that does not exist. */
export async function buildServer(
  mongo: Mongo,
  options: Partial<Omit<ServerDocument, 'live'>> & { live?: { at_ms: number; received_at_ms: number } | null } = {},
): Promise<ServerDocument> {
  const { live = null, ...rest } = options;
  const nowMs = Date.now();
  const server = serverDocument({
    ...{ _id: ids.next('srv'), workspace_id: 'ws_none', agent_version: '1.0.0' },
    ...{ status_changed_at_ms: nowMs, created_at_ms: nowMs, updated_at_ms: nowMs },
    live: live === null ? null : { ...live, report: new Binary(new Uint8Array()) },
    ...rest,
  });
  await mongo.db.collection<ServerDocument>('servers').insertOne(server);
  return server;
}
