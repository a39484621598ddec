import type { Actor } from '../actor.js';
import type { Ids } from '../storage/ids.js';
import { idTime } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { AuditAction, AuditEvent, AuditLog } from './audit.js';
import type { AuditDocument } from './documents.js';
import { isDeletion, MASS_DELETION_ENTRIES, MASS_DELETION_MS, severityOf } from './severity.js';
import type { AuditStore } from './store.js';

type Store = Pick<AuditStore, 'insert' | 'countOf'>;

export function createAuditLog(needs: { store: Store; ids: Ids }): AuditLog {
  const { store, ids } = needs;
  const log: AuditLog = {
    record: (tx, actor, event) => log.recordAll(tx, [{ actor, event }]),
    async recordAll(tx, entries) {
      if (entries.length === 0) return;
      const deletions = createDeletionCounter(store, tx);
      const documents: AuditDocument[] = [];
      for (const { actor, event } of entries) {
        const _id = ids.next('evt');
        documents.push(unsealedEntry(_id, actor, event, await deletions.count(actor, event, idTime(_id))));
      }
      await store.insert(tx, documents);
    },
  };
  return log;
}

function unsealedEntry(_id: string, actor: Actor, event: AuditEvent, deletions: number): AuditDocument {
  return {
    _id,
    workspace_id: actor.workspaceId,
    // Taken from the id, so that both always agree.
    at_ms: idTime(_id),
    action: event.action,
    severity: severityOf(event, deletions),
    actor: {
      ...{ id: actor.userId, email: actor.email, ip: actor.ip },
      ...(actor.key === null ? {} : { api_key: { id: actor.key.id, name: actor.key.name } }),
    },
    resource: event.resource,
    // Converted to plain JSON values: the hash covers JSON, and the database would turn undefined into null.
    metadata: JSON.parse(
      JSON.stringify({ ...event.metadata, ...userAgentOf(actor, event.action), ...linkOf(actor), ...bulkOf(actor) }),
    ),
    request_id: actor.requestId,
    hash: null,
    previous_hash: null,
    unsealed: true,
  };
}

/**
 * Actions whose entries say with which program somebody acted, so that a stolen session can be told apart, and who tried
 * to log in. Picket itself uses none.
 */
const NAMES_DEVICE = /^(auth|team|billing|workspace)\./;

function userAgentOf({ userAgent }: Actor, action: AuditAction): { user_agent?: string } {
  return userAgent === null || !NAMES_DEVICE.test(action) ? {} : { user_agent: userAgent };
}

/** Who used the link is not known, but which channel it was sent to. */
function linkOf({ link }: Actor): { link?: { channel_id: string; channel_name: string } } {
  return link === undefined ? {} : { link: { channel_id: link.channelId, channel_name: link.channelName } };
}

/** The bulk change that an entry is part of. Unlike the id of the request, no client chooses it. */
function bulkOf({ bulkId }: Actor): { bulk_id?: string } {
  return bulkId === undefined ? {} : { bulk_id: bulkId };
}

/** Counts deletions for `severityOf`: those that are stored, and those that the transaction is about to store. */
function createDeletionCounter(store: Store, tx: Transaction) {
  const counts = new Map<string, number>();
  return {
    /** Resolves to the number of deletions of this kind by the actor, this one included; 0 if it is no deletion. */
    async count({ workspaceId, email }: Actor, { action }: AuditEvent, atMs: number): Promise<number> {
      if (!isDeletion(action)) return 0;
      const key = `${workspaceId} ${email} ${action}`;
      const since = { workspaceId, email, action, sinceMs: atMs - MASS_DELETION_MS };
      const count = 1 + (counts.get(key) ?? (await store.countOf(tx, since, MASS_DELETION_ENTRIES)));
      counts.set(key, count);
      return count;
    },
  };
}
