import { Binary, type Db } from 'mongodb';
import { insertNew, type SetAside } from '../../storage/writes/insert-new.js';
import { historyId, splitHistoryId } from '../history/document-id.js';
import type { ServerIdentity } from '../servers.js';

/** One response of the database contains a usual hour; the default of 101 would need a second one. */
const BATCH_DOCUMENTS = 1_000;

/** A sample that is not packed yet. */
export interface StoredSample {
  /** When it was taken, on the control plane's clock. A server has at most one sample for each millisecond. */
  atMs: number;
  /** The encoded message. Its own time is ignored in favour of `atMs`. */
  bytes: Uint8Array;
}

export interface NewSample extends StoredSample, ServerIdentity {
  receivedAtMs: number;
}

export interface SamplesStore {
  ensureIndexes(): Promise<void>;
  /** Resolves after a majority write. A stored sample stays unchanged, a refused one is set aside; all other errors throw. */
  insert(samples: readonly NewSample[]): Promise<void>;
  /** Returns the samples of one server in [fromMs, toMs), oldest first, one response of the database at a time. */
  read(server: ServerIdentity, fromMs: number, toMs: number): AsyncIterable<readonly StoredSample[]>;
  /** For the pack job, across all workspaces: returns the server and time of the first sample at or after this `_id`. */
  firstFrom(id: string): Promise<(ServerIdentity & { atMs: number }) | null>;
  /** Deletes the samples of a server that were taken at these times. */
  remove(server: ServerIdentity, timesMs: readonly number[]): Promise<void>;
}

interface SampleDocument {
  /** `<server>/<at_ms>`. */
  _id: string;
  workspace_id: string;
  received_at_ms: number;
  report: Binary;
}

/**
 * There is no index except `_id`: each sample is written once, read in a range of `_id` and deleted within the hour, and
 * the pack job finds its work by skipping through `_id`. It also packs the samples of deleted servers, so none of them
 * needs an expiry.
 */
export function createSamplesStore(db: Db, setAside: SetAside): SamplesStore {
  const samples = db.collection<SampleDocument>('server_reports');
  return {
    async ensureIndexes() {},
    insert: (rows) => insertNew(samples, rows.map(documentOf), setAside),
    async *read({ workspaceId, serverId }, fromMs, toMs) {
      const cursor = samples
        .find(
          { _id: { $gte: historyId(serverId, fromMs), $lt: historyId(serverId, toMs) }, workspace_id: workspaceId },
          { projection: { report: 1 } },
        )
        .sort({ _id: 1 })
        .batchSize(BATCH_DOCUMENTS);
      try {
        while (await cursor.hasNext()) yield cursor.readBufferedDocuments().map(sampleOf);
      } finally {
        // The reader may stop before the end.
        await cursor.close();
      }
    },
    async firstFrom(id) {
      const [first] = await samples
        .find({ _id: { $gte: id } }, { projection: { workspace_id: 1 } })
        .sort({ _id: 1 })
        .limit(1)
        .toArray();
      return first === undefined ? null : { workspaceId: first.workspace_id, ...splitHistoryId(first._id) };
    },
    async remove({ workspaceId, serverId }, timesMs) {
      const ids = timesMs.map((atMs) => historyId(serverId, atMs));
      await samples.deleteMany({ _id: { $in: ids }, workspace_id: workspaceId });
    },
  };
}

function documentOf({ serverId, workspaceId, atMs, receivedAtMs, bytes }: NewSample): SampleDocument {
  return {
    _id: historyId(serverId, atMs),
    workspace_id: workspaceId,
    received_at_ms: receivedAtMs,
    report: new Binary(bytes),
  };
}

function sampleOf({ _id, report }: Pick<SampleDocument, '_id' | 'report'>): StoredSample {
  return { atMs: splitHistoryId(_id).atMs, bytes: report.value() };
}
