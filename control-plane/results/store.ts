import type { Db, Filter } from 'mongodb';
import { type ResultDocument, resultId } from '../monitors/documents.js';
import { insertNew } from '../storage/insert-new.js';

/** One page of a monitor's history, newest first. */
export interface ResultsPage {
  workspaceId: string;
  monitorId: string;
  /** Slots from here on. */
  fromMs: number;
  /** Slots up to and including this. */
  toMs: number;
  location: string | null;
  /** Only results below this `_id`; null for the newest. */
  below: string | null;
  limit: number;
}

/** What uptime and roll-ups need of a result. Only final ones are read. */
export type FinalResult = Pick<
  ResultDocument,
  'workspace_id' | 'monitor_id' | 'location' | 'slot_ms' | 'attempt' | 'covers_ms' | 'up' | 'response_time_ms'
>;

export interface ResultsStore {
  ensureIndexes(): Promise<void>;
  /** Resolves after a majority write. What is stored already stays as it is; any other refusal throws. */
  insert(results: readonly ResultDocument[]): Promise<void>;
  page(page: ResultsPage): Promise<ResultDocument[]>;
  /** Final results of one monitor with a slot in [fromMs, toMs), in order of slot. */
  finals(workspaceId: string, monitorId: string, fromMs: number, toMs: number): Promise<FinalResult[]>;
  /** Every attempt of one monitor with a slot in [fromMs, toMs), in order of slot, as a stream. */
  readRange(workspaceId: string, monitorId: string, fromMs: number, toMs: number): AsyncIterable<ResultDocument>;
  /**
   * For the roll-up, over all workspaces: hands each final result received in [fromMs, toMs) to `take`, in order of
   * arrival and `limit` at most. The documents themselves are let go of one batch after the other.
   */
  received(
    fromMs: number,
    toMs: number,
    limit: number,
    take: (result: FinalResult) => void,
  ): Promise<{ count: number; lastMs: number }>;
}

/** Documents of one answer of the server while arrivals are read. */
const BATCH_RESULTS = 5_000;

const FINAL_MEMBERS = {
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

export function createResultsStore(db: Db): ResultsStore {
  const results = db.collection<ResultDocument>('results');
  return {
    async ensureIndexes() {
      await results.createIndex({ received_at: 1 }, { name: 'received_at' });
      await results.createIndex({ expires_at: 1 }, { name: 'expires_at', expireAfterSeconds: 0 });
    },

    insert: (documents) => insertNew(results, documents),

    async page(page) {
      const filter: Filter<ResultDocument> = {
        _id: {
          $gte: slotBound(page.monitorId, page.fromMs),
          $lt: page.below ?? slotBound(page.monitorId, page.toMs + 1),
        },
        workspace_id: page.workspaceId,
        ...(page.location === null ? {} : { location: page.location }),
      };
      return results.find(filter).sort({ _id: -1 }).limit(page.limit).toArray();
    },

    async finals(workspaceId, monitorId, fromMs, toMs) {
      return results
        .find({
          _id: { $gte: slotBound(monitorId, fromMs), $lt: slotBound(monitorId, toMs) },
          workspace_id: workspaceId,
          final: true,
        })
        .sort({ _id: 1 })
        .project<FinalResult>(FINAL_MEMBERS)
        .toArray();
    },

    readRange(workspaceId, monitorId, fromMs, toMs) {
      const range = { $gte: slotBound(monitorId, fromMs), $lt: slotBound(monitorId, toMs) };
      return results.find({ _id: range, workspace_id: workspaceId }).sort({ _id: 1 });
    },

    async received(fromMs, toMs, limit, take) {
      const cursor = results
        .find({ received_at: { $gte: new Date(fromMs), $lt: new Date(toMs) }, final: true })
        .sort({ received_at: 1 })
        .limit(limit)
        .project<FinalResult & { received_at: Date }>({ ...FINAL_MEMBERS, received_at: 1 })
        .batchSize(BATCH_RESULTS);
      let [count, lastMs] = [0, fromMs];
      while (await cursor.hasNext()) {
        for (const result of cursor.readBufferedDocuments()) {
          take(result);
          count++;
          lastMs = result.received_at.getTime();
        }
      }
      return { count, lastMs };
    },
  };
}

/** Sorts below every result of the slot and above every result before it. */
function slotBound(monitorId: string, slotMs: number): string {
  const id = resultId(monitorId, Math.max(0, Math.floor(slotMs)), '', 0);
  return id.slice(0, id.lastIndexOf('/') - 1);
}
