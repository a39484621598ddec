import type { Clock } from '../../../kernel/clock.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError, notFound } from '../../errors.js';
import { requireVersion } from '../../http/etag.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ProbeDocument } from '../documents.js';
import type { NodeStore } from '../store.js';

export interface ProbeChangeNeeds {
  store: NodeStore;
  audit: AuditLog;
  clock: Clock;
  /** Called after the commit of a change. */
  nodesChanged(): void;
}

/** Drains a probe, or ends its drain. */
export async function setDrained(
  { store, audit, clock, nodesChanged }: ProbeChangeNeeds,
  tx: Transaction,
  actor: Actor,
  change: { id: string; drained: boolean; ifVersion: number | null },
): Promise<ProbeDocument> {
  const before = await readProbe(store, tx, change.id, change.ifVersion);
  if (before.revoked_at_ms !== null) throw new AppError('conflict', 'The probe is revoked.');
  if ((before.drained_at_ms !== null) === change.drained) return before;
  const after = await store.setDrained(tx, change.id, change.drained ? clock.now() : null);
  if (after === null) throw notFound('probe');
  await audit.record(tx, actor, {
    action: change.drained ? 'probe.drained' : 'probe.undrained',
    resource: { type: 'probe', id: after._id, name: after.hostname },
    metadata: { location: after.location },
  });
  tx.afterCommit(nodesChanged);
  return after;
}

/** Revokes a probe. Idempotent. */
export async function revokeProbe(
  { store, audit, clock, nodesChanged }: ProbeChangeNeeds,
  tx: Transaction,
  actor: Actor,
  id: string,
  ifVersion: number | null,
): Promise<void> {
  const probe = await readProbe(store, tx, id, ifVersion);
  if ((await store.revoke(tx, id, clock.now())) === null) return;
  await audit.record(tx, actor, {
    action: 'probe.revoked',
    resource: { type: 'probe', id, name: probe.hostname },
    metadata: { location: probe.location },
  });
  tx.afterCommit(nodesChanged);
}

/** Reads a probe and checks its version. */
async function readProbe(
  store: NodeStore,
  tx: Transaction,
  id: string,
  ifVersion: number | null,
): Promise<ProbeDocument> {
  const node = await store.findProbe(id, tx);
  if (node === null) throw notFound('probe');
  requireVersion(ifVersion, node.document_version);
  return node;
}
