import { Binary, type Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { ReportFile, ReportPartDocument } from '../documents.js';

/** Bytes of one part. A document of MongoDB can have 16 MiB; a download holds a part in memory. */
export const PART_BYTES_MAX = 1_048_576;
const PLACE_DIGITS = 4;

/** Stores the files of reports in the database, which all control planes share. */
export interface ReportFilesStore {
  ensureIndexes(): Promise<void>;
  insert(
    tx: Transaction,
    report: { workspaceId: string; id: string },
    file: ReportFile,
    bytes: Uint8Array,
  ): Promise<void>;
  /** Returns the part with this place; null without it. */
  part(report: { workspaceId: string; id: string }, file: ReportFile, place: number): Promise<Uint8Array | null>;
  removeOf(tx: Transaction, workspaceId: string, reportId: string): Promise<void>;
}

export function createReportFilesStore(db: Db): ReportFilesStore {
  const parts = db.collection<ReportPartDocument>('client_report_parts');
  return {
    async ensureIndexes() {
      await parts.createIndex({ workspace_id: 1, report_id: 1 });
    },
    async insert(tx, { workspaceId, id }, file, bytes) {
      const documents: ReportPartDocument[] = [];
      for (let from = 0; from < bytes.byteLength; from += PART_BYTES_MAX) {
        documents.push({
          _id: partId(id, file, documents.length),
          workspace_id: workspaceId,
          report_id: id,
          file,
          bytes: new Binary(bytes.subarray(from, from + PART_BYTES_MAX)),
        });
      }
      await parts.insertMany(documents, { session: tx.session });
    },
    async part({ workspaceId, id }, file, place) {
      const part = await parts.findOne({ _id: partId(id, file, place), workspace_id: workspaceId });
      return part === null ? null : part.bytes.value();
    },
    async removeOf(tx, workspaceId, reportId) {
      await parts.deleteMany({ workspace_id: workspaceId, report_id: reportId }, { session: tx.session });
    },
  };
}

function partId(reportId: string, file: ReportFile, place: number): string {
  return `${reportId}/${file}/${String(place).padStart(PLACE_DIGITS, '0')}`;
}
