import type { Db } from 'mongodb';
import type { CertificateState, LiveResult } from '../monitors/documents.js';
import type { LiveUpdate } from './live-store.js';

/** The newest results of a monitor that is locked, from one location and of one version of the monitor. */
interface WaitingDocument {
  /** `<control plane>/<monitor>/<location>/<version>` */
  _id: string;
  workspace_id: string;
  monitor_id: string;
  monitor_version: number;
  location: string;
  results: readonly { result: LiveResult; certificate: CertificateState | null }[];
  /** Counts how often it was kept. */
  revision: number;
  kept_at: Date;
}

/** Results that wait until their monitor is unlocked. They are of the same monitor, location and version. */
export interface WaitingResults {
  id: string;
  revision: number;
  updates: readonly LiveUpdate[];
}

/**
 * Stores results that wait in the memory of a control plane, because they are acknowledged: if it dies, another one, or
 * its successor, writes them to their monitors.
 */
export interface WaitingStore {
  /** Resolves after a majority write. */
  keep(waiting: readonly WaitingResults[]): Promise<void>;
  /** Removes them, except those that were kept again since. */
  remove(waiting: readonly WaitingResults[]): Promise<void>;
  /** Returns the oldest ones that were kept at least `ageMs` ago, of all control planes. */
  kept(ageMs: number, limit: number): Promise<WaitingResults[]>;
}

export function createWaitingStore(db: Db): WaitingStore {
  const collection = db.collection<WaitingDocument>('results_waiting');
  return {
    async keep(waiting) {
      const writes = waiting.flatMap(({ id: _id, revision, updates }) => {
        const [first] = updates;
        if (first === undefined) return [];
        const of = {
          workspace_id: first.workspaceId,
          monitor_id: first.monitorId,
          monitor_version: first.monitorVersion,
          location: first.location,
        };
        const results = updates.map(({ result, certificate }) => ({ result, certificate }));
        const update = { $set: { ...of, results, revision }, $currentDate: { kept_at: true as const } };
        return [{ updateOne: { filter: { _id, workspace_id: first.workspaceId }, update, upsert: true } }];
      });
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
    },
    async remove(waiting) {
      const writes = waiting.flatMap(({ id: _id, revision, updates: [first] }) =>
        first === undefined ? [] : [{ deleteOne: { filter: { _id, workspace_id: first.workspaceId, revision } } }],
      );
      if (writes.length > 0) await collection.bulkWrite(writes, { ordered: false });
    },
    async kept(ageMs, limit) {
      const found = await collection
        .find({ $expr: { $lte: ['$kept_at', { $subtract: ['$$NOW', ageMs] }] } })
        .sort({ kept_at: 1 })
        .limit(limit)
        .toArray();
      return found.map(({ _id, revision, results, ...of }) => ({
        ...{ id: _id, revision },
        updates: results.map((one) => ({
          ...{ workspaceId: of.workspace_id, monitorId: of.monitor_id, monitorVersion: of.monitor_version },
          ...{ location: of.location, ...one },
        })),
      }));
    },
  };
}
