import type { Db } from 'mongodb';
import { sealEntries } from '../../../control-plane/audit/chain/seal.js';
import type { AuditDocument, AuditHeadDocument } from '../../../control-plane/audit/documents.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';

const BATCH = 5_000;

/** The fields of an entry that a test sets. */
export type MadeEntry = Partial<Omit<AuditDocument, '_id' | 'at_ms'>> & { atMs: number };

/** Writes a sealed log to the database, as the sealer does: entries in the order of their times, and the head. */
export async function fillAuditLog(
  db: Db,
  workspaceId: string,
  count: number,
  entryAt: (index: number) => MadeEntry,
): Promise<AuditHeadDocument | null> {
  let nowMs = 0;
  const ids = createIds({ ...systemClock, now: () => nowMs }, systemRandom);
  let head: AuditHeadDocument | null = null;
  for (let from = 0; from < count; from += BATCH) {
    const waiting = Array.from({ length: Math.min(BATCH, count - from) }, (_, index): AuditDocument => {
      const { atMs, ...made } = entryAt(from + index);
      nowMs = atMs;
      return {
        _id: ids.next('evt'),
        workspace_id: workspaceId,
        at_ms: atMs,
        action: 'monitor.updated',
        severity: 'info',
        actor: { id: 'usr_01jjwzmz000000000000000000', email: 'owner@example.com', ip: '192.0.2.7' },
        resource: { type: 'monitor', id: 'mon_01jjwzmz000000000000000000', name: `Shop ${from + index}` },
        metadata: { changes: { name: { from: 'Shop', to: 'Shop, "new"' }, interval_seconds: { from: 60, to: 30 } } },
        request_id: `req_${String(from + index).padStart(24, '0')}`,
        hash: null,
        previous_hash: null,
        ...made,
      };
    });
    const chain = sealEntries(head, waiting, { workspaceId, fence: 0, idAt: () => ids.next('evt') });
    if (chain === null) break;
    await db.collection<AuditDocument>('audit_log').insertMany(chain.sealed.map(({ entry }) => entry));
    head = chain.head;
  }
  if (head !== null) await db.collection<AuditHeadDocument>('audit_heads').insertOne(head);
  return head;
}
