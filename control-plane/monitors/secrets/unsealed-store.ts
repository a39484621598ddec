import type { Db } from 'mongodb';
import type { MonitorDocument } from '../documents.js';

/** A monitor whose secrets are not sealed, because an earlier version stored it. */
export type UnsealedMonitor = Pick<
  MonitorDocument,
  '_id' | 'workspace_id' | 'version' | 'url' | 'http' | 'runbook_url'
>;

/** The fields that sealing changes. `version` stays the same, because the settings do. */
export type SealedFields = Pick<MonitorDocument, 'url' | 'http' | 'runbook_url' | 'sealed'>;

/** The stored monitors, of all workspaces, whose secrets are not sealed. */
export interface UnsealedMonitors {
  /** Returns those after `afterId`, ordered by id. */
  page(afterId: string | null, limit: number): Promise<UnsealedMonitor[]>;
  /** Writes the fields, except for monitors that were changed or sealed since they were read. Returns how many it wrote. */
  seal(writes: readonly { monitor: UnsealedMonitor; fields: SealedFields }[]): Promise<number>;
}

const FIELDS = { workspace_id: 1, version: 1, url: 1, http: 1, runbook_url: 1 } as const;

export function createUnsealedMonitors(db: Db): UnsealedMonitors {
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    page(afterId, limit) {
      const after = afterId === null ? {} : { _id: { $gt: afterId } };
      return monitors
        .find({ ...after, sealed: { $exists: false } }, { projection: FIELDS })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    async seal(writes) {
      const { modifiedCount } = await monitors.bulkWrite(
        writes.map(({ monitor: { _id, workspace_id, version }, fields }) => ({
          updateOne: { filter: { _id, workspace_id, version, sealed: { $exists: false } }, update: { $set: fields } },
        })),
        { ordered: false },
      );
      return modifiedCount;
    },
  };
}
