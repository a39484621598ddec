import { isDeepStrictEqual } from 'node:util';
import type { Clock } from '../../kernel/clock.js';
import { PLANS } from '../accounts/plans.js';
import { refuseOverQuota } from '../accounts/quota.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { AppError, notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { AgentCredentials } from '../nodes/nodes.js';
import type { Transaction } from '../storage/transaction.js';
import type { ServerDocument } from './documents.js';
import type { UpdateServer } from './schema.js';
import type { ServerIdentity, StatusListener } from './servers.js';
import type { ServerStore } from './store.js';

/** What the verbs of this slice work with. */
export interface ServerContext {
  store: ServerStore;
  audit: AuditLog;
  credentials: AgentCredentials;
  listener: StatusListener;
  /** Called when a workspace makes a join token: its first server gets rules that tell of what matters. */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  /** Removes what is stored of a server's reports, after it is gone. */
  removeHistory(server: ServerIdentity): Promise<void>;
  clock: Clock;
}

/** A token with which one server may join. Throws 402 when there is no place for it. */
export async function createServerToken(
  { store, audit, credentials, ensureDefaultRules }: ServerContext,
  tx: Transaction,
  actor: Actor,
): Promise<{ token: string; expiresAtMs: number }> {
  const { plan, workspaceId, workspaceName, email } = actor;
  refuseOverQuota(plan, 'servers', await store.count(tx, workspaceId, PLANS[plan].servers + 1));
  const made = await credentials.createJoinToken(tx, { plan, workspaceId, workspaceName, email });
  await ensureDefaultRules(tx, actor);
  await audit.record(tx, actor, {
    action: 'server.join_token_created',
    resource: { type: 'workspace', id: workspaceId, name: workspaceName },
    metadata: { expires_at_ms: made.expiresAtMs },
  });
  return made;
}

/** Changes name and tags; a change that changes nothing leaves no trace. */
export async function updateServer(
  { store, audit, listener, clock }: ServerContext,
  tx: Transaction,
  actor: Actor,
  what: { id: string; patch: UpdateServer; ifVersion: number | null },
): Promise<ServerDocument> {
  const server = await loadServer(store, tx, actor, what.id, what.ifVersion);
  const next = { name: what.patch.name ?? server.name, tags: what.patch.tags ?? server.tags };
  if (next.name === server.name && isDeepStrictEqual(next.tags, server.tags)) return server;
  const changed = await store.change(tx, server, { ...next, updated_at_ms: clock.now() });
  if (changed === null) throw new AppError('conflict', 'The server was changed by someone else at the same moment.');
  await listener.edited(tx, actor, changed);
  const changes = {
    ...(next.name === server.name ? {} : { name: { from: server.name, to: next.name } }),
    ...(isDeepStrictEqual(next.tags, server.tags) ? {} : { tags: { from: server.tags, to: next.tags } }),
  };
  await audit.record(tx, actor, {
    action: 'server.updated',
    resource: { type: 'server', id: changed._id, name: changed.name },
    metadata: { changes },
  });
  return changed;
}

/** Deletes a server: its agent's credential is void, its incidents end, its history goes. */
export async function removeServer(
  { store, audit, credentials, listener, removeHistory }: ServerContext,
  tx: Transaction,
  actor: Actor,
  what: { id: string; ifVersion: number | null },
): Promise<void> {
  const server = await loadServer(store, tx, actor, what.id, what.ifVersion);
  if (!(await store.remove(tx, actor.workspaceId, what.id))) throw notFound('server');
  await credentials.revoke(tx, what.id);
  await listener.deleted(tx, actor, server);
  await audit.record(tx, actor, {
    action: 'server.deleted',
    resource: { type: 'server', id: what.id, name: server.name },
    severity: 'warning',
  });
  tx.afterCommit(() => void removeHistory({ workspaceId: actor.workspaceId, serverId: what.id }));
}

async function loadServer(
  store: ServerStore,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<ServerDocument> {
  const server = await store.find(actor.workspaceId, id, tx);
  if (server === null) throw notFound('server');
  requireVersion(ifVersion, server.version);
  return server;
}
