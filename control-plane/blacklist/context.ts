import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Ids } from '../storage/ids.js';
import type { Transaction } from '../storage/transaction.js';
import type { ListingListener } from './blacklist.js';
import type { BlacklistMonitorDocument } from './documents.js';
import type { BlacklistChecksStore } from './monitoring/checks-store.js';
import type { BlacklistMonitorStore } from './store.js';

/** What the verbs of blacklist monitors work with. */
export interface BlacklistContext {
  store: BlacklistMonitorStore;
  checks: Pick<BlacklistChecksStore, 'removeOf'>;
  listener: Pick<ListingListener, 'deleted'>;
  /** Called with each new monitor: a workspace's first gets a rule that tells of listings. */
  ensureDefaultRule(tx: Transaction, actor: Actor): Promise<void>;
  audit: AuditLog;
  ids: Ids;
  clock: Clock;
  logger: Logger;
}

/** Throws 404, and 412 when it is not the version that the client has seen. */
export async function loadMonitor(
  { store }: Pick<BlacklistContext, 'store'>,
  tx: Transaction,
  actor: Actor,
  what: { id: string; ifVersion: number | null },
): Promise<BlacklistMonitorDocument> {
  const monitor = await store.find(actor.workspaceId, what.id, tx);
  if (monitor === null) throw notFound('blacklist monitor');
  requireVersion(what.ifVersion, monitor.version);
  return monitor;
}
