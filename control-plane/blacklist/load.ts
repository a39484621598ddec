import type { Actor } from '../actor.js';
import { notFound } from '../errors.js';
import { requireVersion } from '../http/etag.js';
import type { Transaction } from '../storage/transaction.js';
import type { BlacklistMonitorDocument } from './documents.js';
import type { BlacklistMonitorStore } from './store.js';

/** Returns the monitor. Throws 404 if it does not exist, and 412 if its version is not the one that the client has. */
export async function loadMonitor(
  store: Pick<BlacklistMonitorStore, 'find'>,
  tx: Transaction,
  actor: Actor,
  request: { id: string; ifVersion: number | null },
): Promise<BlacklistMonitorDocument> {
  const monitor = await store.find(actor.workspaceId, request.id, tx);
  if (monitor === null) throw notFound('blacklist monitor');
  requireVersion(request.ifVersion, monitor.version);
  return monitor;
}
