import type { Db } from 'mongodb';
import { isDuplicateKey } from '../storage/transaction.js';
import type { LogDocument } from './documents.js';

/** A client that was away for longer gets `reset`. The names of monitors and servers in it are kept no longer. */
const LOG_KEPT_S = 3_600;
/** Of one read. A document has at most `APPEND_ENTRIES_MAX` entries. */
export const READ_DOCUMENTS_MAX = 20;

/** The log of events, in one order for all control planes. It has the events of all workspaces. */
export interface LogStore {
  ensureIndexes(): Promise<void>;
  /** Returns the next `READ_DOCUMENTS_MAX` documents after this one, oldest first; fewer when there are no more. */
  after(id: number): Promise<LogDocument[]>;
  /**
   * Returns the newest documents, oldest first: as many as hold this number of entries, and all that were appended within
   * `periodMs` before the newest.
   */
  newest(entries: number, periodMs: number): Promise<LogDocument[]>;
  /** Resolves to false if another control plane has appended a document with this number. */
  append(document: LogDocument): Promise<boolean>;
  /**
   * Resolves to the number where an empty log begins, the same on all control planes: the proposed one, or one that
   * another control plane proposed while the log was empty.
   */
  start(proposed: number): Promise<number>;
}

interface StartDocument {
  _id: 'log';
  number: number;
}

export function createLogStore(db: Db): LogStore {
  const log = db.collection<LogDocument>('live_log');
  const starts = db.collection<StartDocument>('live_log_start');
  return {
    async ensureIndexes() {
      await log.createIndex({ at: 1 }, { expireAfterSeconds: LOG_KEPT_S });
    },
    after: (id) =>
      log
        .find({ _id: { $gt: id } })
        .sort({ _id: 1 })
        .limit(READ_DOCUMENTS_MAX)
        .toArray(),
    async newest(entriesWanted, periodMs) {
      const found: LogDocument[] = [];
      let entries = 0;
      for await (const document of log.find().sort({ _id: -1 }).batchSize(READ_DOCUMENTS_MAX)) {
        found.push(document);
        entries += document.entries.length + 1;
        const isOld = document.at.getTime() < (found[0]?.at.getTime() ?? 0) - periodMs;
        if (entries >= entriesWanted && isOld) break;
      }
      return found.reverse();
    },
    async append(document) {
      try {
        await log.insertOne(document);
        return true;
      } catch (error) {
        if (isDuplicateKey(error)) return false;
        throw error;
      }
    },
    async start(proposed) {
      const old = proposed - LOG_KEPT_S * 1_000;
      // An older start is that of an earlier log, whose documents have all been removed.
      await starts.updateOne({ _id: 'log', number: { $lt: old } }, { $set: { number: proposed } });
      const start = await starts.findOneAndUpdate(
        { _id: 'log' },
        { $setOnInsert: { number: proposed } },
        { upsert: true, returnDocument: 'after' },
      );
      return start?.number ?? proposed;
    },
  };
}
