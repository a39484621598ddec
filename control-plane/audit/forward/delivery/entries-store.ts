import { BSON, type Db } from 'mongodb';
import type { Transaction } from '../../../storage/transaction.js';
import type { AuditSeverity } from '../../audit.js';
import type { AuditDocument, AuditHeadDocument } from '../../documents.js';

/** The maximum size of the entries read at once; a single larger entry is still read. */
const READ_BYTES_MAX = 1_048_576;

/** Reads audit entries for forwarders: sealed ones, in chain order. */
export interface ForwardedEntries {
  /** Returns the id of the last sealed entry of each workspace that has one. */
  heads(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, string>>;
  /** Like `heads`, for one workspace and in a transaction; '' for an empty chain. */
  headIn(tx: Transaction, workspaceId: string): Promise<string>;
  /**
   * Returns some entries after `afterId` up to `headId`, at least one if there is one. Up to a head that was read
   * earlier, all entries are sealed; a read beyond it could return a later entry and miss an earlier one.
   */
  after(workspaceId: string, afterId: string, headId: string, entriesMax: number): Promise<AuditDocument[]>;
  /** Counts the entries after `afterId`, sealed or not, up to `countMax`; `firstMs` is the time of the first or null. */
  waiting(
    workspaceId: string,
    afterId: string,
    severities: readonly AuditSeverity[] | null,
    countMax: number,
  ): Promise<{ events: number; firstMs: number | null }>;
}

export function createForwardedEntries(db: Db): ForwardedEntries {
  const entries = db.collection<AuditDocument>('audit_log');
  const heads = db.collection<AuditHeadDocument>('audit_heads');
  return {
    async heads(workspaceIds) {
      const found = await heads.find({ _id: { $in: [...workspaceIds] } }, { projection: { last_id: 1 } }).toArray();
      return new Map(found.map(({ _id, last_id }) => [_id, last_id]));
    },
    async headIn(tx, workspaceId) {
      return (await heads.findOne({ _id: workspaceId }, { session: tx.session }))?.last_id ?? '';
    },
    async after(workspaceId, afterId, headId, entriesMax) {
      const found: AuditDocument[] = [];
      let bytes = 0;
      const cursor = entries
        .find({ workspace_id: workspaceId, _id: { $gt: afterId, $lte: headId }, hash: { $type: 'string' } })
        .sort({ _id: 1 })
        .limit(entriesMax);
      for await (const entry of cursor) {
        found.push(entry);
        bytes += BSON.calculateObjectSize(entry);
        if (bytes >= READ_BYTES_MAX) break;
      }
      return found;
    },
    async waiting(workspaceId, afterId, severities, countMax) {
      const bySeverity = severities === null ? {} : { severity: { $in: [...severities] } };
      const filter = { workspace_id: workspaceId, _id: { $gt: afterId }, ...bySeverity };
      const [events, first] = await Promise.all([
        entries.countDocuments(filter, { limit: countMax }),
        entries.findOne(filter, { sort: { _id: 1 }, projection: { at_ms: 1 } }),
      ]);
      return { events, firstMs: first?.at_ms ?? null };
    },
  };
}
