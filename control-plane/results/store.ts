import { type Db, type Filter, Timestamp } from 'mongodb';
import { insertNew, type SetAside } from '../storage/writes/insert-new.js';
import { type ResultDocument, resultId } from './documents.js';
import type { ResultReader } from './results.js';
import type { Arrival } from './rollup/arrival.js';

/** One page of the history of a monitor, newest first. */
interface ResultsPage {
  workspaceId: string;
  monitorId: string;
  /** The first slot. */
  fromMs: number;
  /** The last slot, included. */
  toMs: number;
  location: string | null;
  /** Only results with a smaller `_id`; null for the first page. */
  below: string | null;
  limit: number;
}

/** The fields of a final result that uptime and roll-ups use. */
export type FinalResult = Pick<
  ResultDocument,
  'workspace_id' | 'monitor_id' | 'location' | 'slot_ms' | 'attempt' | 'covers_ms' | 'up' | 'response_time_ms'
>;

export interface ResultsStore extends ResultReader {
  ensureIndexes(): Promise<void>;
  /** Resolves after a majority write. Stored results stay unchanged, refused ones are set aside; any other error throws. */
  insert(results: readonly ResultDocument[]): Promise<void>;
  page(page: ResultsPage): Promise<ResultDocument[]>;
  /**
   * Returns the final results of one monitor with a slot in [fromMs, toMs), in order of slot: all of them, or the first
   * `rowsMax`.
   */
  finals(
    workspaceId: string,
    monitorId: string,
    fromMs: number,
    toMs: number,
    rowsMax?: number,
  ): Promise<FinalResult[]>;
  /**
   * Calls `accept` with each final result of all workspaces that arrived after `after`, in order of arrival, at most
   * `limit` of them. Only one batch of documents is in memory at a time. `last` is the arrival of the last one, and
   * `after` without results.
   */
  arrived(
    after: Arrival,
    limit: number,
    accept: (result: FinalResult) => void,
  ): Promise<{ count: number; last: Arrival }>;
  /**
   * Gives an arrival to results that an earlier version received since then, which sorted them by `received_at`, and
   * removes the index that it used.
   */
  adoptReceived(sinceMs: number): Promise<void>;
}

/** A stored result. The database sets `arrived`. */
type StoredResult = ResultDocument & { arrived: Timestamp };

/**
 * The database replaces this by its own time, which is different for each document and never goes back, not even when
 * another member becomes the primary (https://www.mongodb.com/docs/manual/reference/bson-types/#timestamps).
 */
const SET_BY_DATABASE = new Timestamp({ t: 0, i: 0 });

/** Batch size of cursors: a batch is decoded in one piece, and other work is done between two. */
const BATCH_RESULTS = 5_000;

const FINAL_FIELDS = {
  _id: 0,
  workspace_id: 1,
  monitor_id: 1,
  location: 1,
  slot_ms: 1,
  attempt: 1,
  covers_ms: 1,
  up: 1,
  response_time_ms: 1,
} as const;

export function createResultsStore(db: Db, setAside: SetAside): ResultsStore {
  const results = db.collection<StoredResult>('results');
  return {
    async ensureIndexes() {
      await results.createIndex({ arrived: 1 }, { name: 'arrived' });
      await results.createIndex({ expires_at: 1 }, { name: 'expires_at', expireAfterSeconds: 0 });
    },

    insert(documents) {
      const stored = documents.map((document): StoredResult => ({ ...document, arrived: SET_BY_DATABASE }));
      return insertNew(results, stored, setAside);
    },

    async page(page) {
      const filter: Filter<StoredResult> = {
        _id: {
          $gte: slotBound(page.monitorId, page.fromMs),
          $lt: page.below ?? slotBound(page.monitorId, page.toMs + 1),
        },
        workspace_id: page.workspaceId,
        ...(page.location === null ? {} : { location: page.location }),
      };
      return results.find(filter).sort({ _id: -1 }).limit(page.limit).toArray();
    },

    async finals(workspaceId, monitorId, fromMs, toMs, rowsMax) {
      const found = results
        .find({
          _id: { $gte: slotBound(monitorId, fromMs), $lt: slotBound(monitorId, toMs) },
          workspace_id: workspaceId,
          final: true,
        })
        .sort({ _id: 1 })
        .project<FinalResult>(FINAL_FIELDS)
        .batchSize(BATCH_RESULTS);
      return (rowsMax === undefined ? found : found.limit(rowsMax)).toArray();
    },

    readRange(workspaceId, monitorId, fromMs, toMs) {
      const range = { $gte: slotBound(monitorId, fromMs), $lt: slotBound(monitorId, toMs) };
      return results.find({ _id: range, workspace_id: workspaceId }).sort({ _id: 1 });
    },

    async adoptReceived(sinceMs) {
      await results.updateMany(
        { received_at: { $gte: new Date(sinceMs) }, arrived: { $exists: false } },
        { $currentDate: { arrived: { $type: 'timestamp' } } },
      );
      if (await results.indexExists('received_at')) await results.dropIndex('received_at');
    },

    async arrived(after, limit, accept) {
      const cursor = results
        .find({ arrived: { $gt: new Timestamp(after) }, final: true })
        .sort({ arrived: 1 })
        .limit(limit)
        .project<FinalResult & { arrived: Timestamp }>({ ...FINAL_FIELDS, arrived: 1 })
        .batchSize(BATCH_RESULTS);
      let [count, last] = [0, after];
      while (await cursor.hasNext()) {
        for (const result of cursor.readBufferedDocuments()) {
          accept(result);
          count++;
          last = result.arrived.toBigInt();
        }
      }
      return { count, last };
    },
  };
}

/** Returns an id that sorts before every result of the slot and after every earlier result. */
function slotBound(monitorId: string, slotMs: number): string {
  const id = resultId(monitorId, Math.max(0, Math.floor(slotMs)), '', 0);
  return id.slice(0, id.lastIndexOf('/') - 1);
}
