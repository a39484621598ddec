import type { Collection, Filter } from 'mongodb';
import type {
  CertificateNotice,
  CertificateState,
  MonitorDocument,
  SeenCertificates,
} from '../../monitors/documents.js';
import type { Transaction } from '../../storage/transaction.js';

/** A monitor with the certificate that it presents. */
export interface PresentedCertificate
  extends Pick<MonitorDocument, '_id' | 'workspace_id' | 'name' | 'certificate_seen'> {
  certificate: CertificateState;
}

/** What the expiry and the replacement of certificates read and write of `monitors`. */
export interface CertificateStore {
  /** Returns those of the monitors that have presented a certificate. */
  presented(monitorIds: readonly string[]): Promise<PresentedCertificate[]>;
  /** Writes which certificates were seen. Returns false, and the transaction must abort, if some were written since. */
  writeSeen(
    tx: Transaction,
    writes: readonly { monitor: PresentedCertificate; seen: SeenCertificates }[],
  ): Promise<boolean>;
  /** Returns monitors whose certificate expires before `beforeMs` or that have a notice, ordered by id. */
  certificatesDue(beforeMs: number, afterId: string | null, limit: number): Promise<MonitorDocument[]>;
  /** Writes the notice. Returns false if the notice, the certificate or the status has changed since the read. */
  writeNotice(tx: Transaction, monitor: MonitorDocument, notice: CertificateNotice | null): Promise<boolean>;
  /**
   * Notes in the notices that outages superseded their incidents. Without `wasTold`, maintenance silenced the incident and nobody
   * knows of it, so it begins anew.
   */
  markSuperseded(
    tx: Transaction,
    superseded: readonly { monitor: Pick<MonitorDocument, '_id' | 'workspace_id'>; wasTold: boolean }[],
  ): Promise<void>;
}

export function createCertificateStore(monitors: Collection<MonitorDocument>): CertificateStore {
  return {
    presented: (monitorIds) =>
      monitors
        .find({ _id: { $in: [...monitorIds] }, certificate: { $ne: null } })
        .project<PresentedCertificate>({ workspace_id: 1, name: 1, certificate: 1, certificate_seen: 1 })
        .toArray(),
    async writeSeen(tx, writes) {
      const updates = writes.map(({ monitor: { _id, workspace_id, certificate, certificate_seen: before }, seen }) => ({
        updateOne: {
          filter: {
            ...{ _id, workspace_id, 'certificate_seen.current.fingerprint': before?.current.fingerprint ?? null },
            // Not after a change of the target, which removes both.
            'certificate.fingerprint': { $ne: null },
            'certificate.checked_at_ms': { $gte: certificate.checked_at_ms },
          },
          update: { $set: { certificate_seen: seen } },
        },
      }));
      const { matchedCount } = await monitors.bulkWrite(updates, { session: tx.session, ordered: false });
      return matchedCount === writes.length;
    },
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
    async markSuperseded(tx, superseded) {
      if (superseded.length === 0) return;
      const writes = superseded.map(({ monitor: { _id, workspace_id }, wasTold }) => ({
        updateOne: {
          filter: { _id, workspace_id, 'certificate_told.days': { $gt: 0 } },
          update: { $set: wasTold ? { 'certificate_told.superseded': true } : { certificate_told: null } },
        },
      }));
      await monitors.bulkWrite(writes, { session: tx.session, ordered: false });
    },
  };
}
