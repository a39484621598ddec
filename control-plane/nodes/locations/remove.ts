import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { NodeStore } from '../store.js';
import type { LocationStore } from './store.js';

export interface LocationRemovalNeeds {
  store: LocationStore;
  nodes: Pick<NodeStore, 'hasProbe' | 'removeTokens'>;
  audit: AuditLog;
  /** Whether a monitor of any workspace is checked from the location. */
  isMonitored(tx: Transaction, code: string): Promise<boolean>;
}

/** Deletes a check location and its unused join tokens. Throws 409 while it has monitors or probes. */
export async function removeLocation(
  { store, nodes, audit, isMonitored }: LocationRemovalNeeds,
  tx: Transaction,
  actor: Actor,
  request: { code: string; ifVersion: number | null },
): Promise<void> {
  const { code, ifVersion } = request;
  const location = await store.find(tx, code);
  if (location === null) throw notFound('location');
  requireVersion(ifVersion, location.version);
  if (await isMonitored(tx, code)) {
    throw new AppError('conflict', `Monitors are checked from ${code}. Remove the location from them first.`);
  }
  if (await nodes.hasProbe(tx, code)) {
    throw new AppError('conflict', `The location ${code} has probes. Revoke them first.`);
  }
  await nodes.removeTokens(tx, code);
  if (!(await store.remove(tx, code))) throw notFound('location');
  await audit.record(tx, actor, {
    action: 'location.deleted',
    resource: { type: 'location', id: code, name: location.city },
  });
}
