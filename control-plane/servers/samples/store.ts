import { Binary, type Db } from 'mongodb';
import { insertNew } from '../../storage/insert-new.js';
import { historyId, splitHistoryId } from '../history/document-id.js';
import type { ServerIdentity } from '../servers.js';

/** An hour in one answer of the database: its own 101 at first would make two of it. */
const BATCH_DOCUMENTS = 1_000;

/** A report that waits to be packed. */
export interface StoredReport {
  /** When it was read, epoch milliseconds on the control plane's clock. One report at most of a server at one time. */
  atMs: number;
  /** An encoded MetricReport; its own time does not count, `atMs` does. */
  report: Uint8Array;
}

export interface NewReport extends StoredReport, ServerIdentity {
  receivedAtMs: number;
}

export interface ReportsStore {
  ensureIndexes(): Promise<void>;
  /** Resolves after a majority write. A report that is stored already stays as it is; any other refusal throws. */
  insert(reports: readonly NewReport[]): Promise<void>;
  /** Reports of one server in [fromMs, toMs), oldest first. */
  range(server: ServerIdentity, fromMs: number, toMs: number): Promise<StoredReport[]>;
  /** For the pack job, over all workspaces: whose the first report at or after this `_id` is, and of when. */
  firstFrom(id: string): Promise<(ServerIdentity & { atMs: number }) | null>;
  /** Removes the reports of a server that were read at these times. */
  remove(server: ServerIdentity, timesMs: readonly number[]): Promise<void>;
}

interface ReportDocument {
  /** `<server>/<at_ms>`. */
  _id: string;
  workspace_id: string;
  received_at_ms: number;
  report: Binary;
}

/**
 * No index but `_id`: each report is written once, read as a range of it and removed within the hour, and the pack job
 * finds its work by skipping through it. It also packs what a deleted server left behind, so nothing has to expire here.
 */
export function createReportsStore(db: Db): ReportsStore {
  const reports = db.collection<ReportDocument>('server_reports');
  return {
    async ensureIndexes() {},
    insert: (rows) => insertNew(reports, rows.map(documentOf)),
    async range({ workspaceId, serverId }, fromMs, toMs) {
      const documents = await reports
        .find(
          { _id: { $gte: historyId(serverId, fromMs), $lt: historyId(serverId, toMs) }, workspace_id: workspaceId },
          { projection: { report: 1 } },
        )
        .sort({ _id: 1 })
        .batchSize(BATCH_DOCUMENTS)
        .toArray();
      return documents.map(reportOf);
    },
    async firstFrom(id) {
      const [first] = await reports
        .find({ _id: { $gte: id } }, { projection: { workspace_id: 1 } })
        .sort({ _id: 1 })
        .limit(1)
        .toArray();
      return first === undefined ? null : { workspaceId: first.workspace_id, ...splitHistoryId(first._id) };
    },
    async remove({ workspaceId, serverId }, timesMs) {
      const ids = timesMs.map((atMs) => historyId(serverId, atMs));
      await reports.deleteMany({ _id: { $in: ids }, workspace_id: workspaceId });
    },
  };
}

function documentOf({ serverId, workspaceId, atMs, receivedAtMs, report }: NewReport): ReportDocument {
  return {
    _id: historyId(serverId, atMs),
    workspace_id: workspaceId,
    received_at_ms: receivedAtMs,
    report: new Binary(report),
  };
}

function reportOf({ _id, report }: Pick<ReportDocument, '_id' | 'report'>): StoredReport {
  return { atMs: splitHistoryId(_id).atMs, report: report.value() };
}
