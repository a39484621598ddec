import type { Collection, Filter } from 'mongodb';
import type { CertificateNotice, MonitorDocument } from '../../monitors/documents.js';
import type { Transaction } from '../../storage/transaction.js';

/** What the expiry of certificates reads and writes of `monitors`. */
export interface CertificateStore {
  /** Returns monitors whose certificate expires before `beforeMs` or that have a notice, ordered by id. */
  certificatesDue(beforeMs: number, afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /** Writes the notice. Returns false if the notice, the certificate or the status has changed since the read. */
  writeNotice(tx: Transaction, monitor: MonitorDocument, notice: CertificateNotice | null): Promise<boolean>;
  /** Notes in the notice that an outage superseded its incident. */
  markSuperseded(tx: Transaction, monitor: MonitorDocument): Promise<void>;
}

export function createCertificateStore(monitors: Collection<MonitorDocument>): CertificateStore {
  return {
    certificatesDue(beforeMs, afterId, limit) {
      const filter: Filter<MonitorDocument> = {
        $or: [{ 'certificate.not_after_ms': { $lt: beforeMs } }, { 'certificate_told.days': { $gt: 0 } }],
        paused_at_ms: null,
        ...(afterId === null ? {} : { _id: { $gt: afterId } }),
      };
      return monitors.find(filter).sort({ _id: 1 }).limit(limit).batchSize(limit).toArray();
    },
    async writeNotice(tx, monitor, notice) {
      const filter: Filter<MonitorDocument> = {
        _id: monitor._id,
        workspace_id: monitor.workspace_id,
        certificate_told: monitor.certificate_told ?? null,
        'certificate.fingerprint': monitor.certificate?.fingerprint ?? null,
        'state.status': monitor.state.status,
        paused_at_ms: null,
      };
      const update = { $set: { certificate_told: notice } };
      const result = await monitors.updateOne(filter, update, { session: tx.session });
      return result.matchedCount === 1;
    },
    async markSuperseded(tx, monitor) {
      await monitors.updateOne(
        { _id: monitor._id, workspace_id: monitor.workspace_id, 'certificate_told.days': { $gt: 0 } },
        { $set: { 'certificate_told.superseded': true } },
        { session: tx.session },
      );
    },
  };
}
