import type { Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';

/** The fields of a monitor that the directory keeps. */
export type DirectoryRow = Pick<
  MonitorDocument,
  | '_id'
  | 'workspace_id'
  | 'url'
  | 'type'
  | 'interval_seconds'
  | 'timeout_ms'
  | 'locations'
  | 'http'
  | 'sealed'
  | 'confirmations'
  | 'retries'
  | 'paused_at_ms'
  | 'version'
  | 'live_from_version'
>;

/** What the directory reads of `monitors`, over all workspaces. */
export interface DirectoryReads {
  /** Returns the rows after `afterId`, ordered by id. */
  directoryPage(afterId: string | null, limit: number): Promise<DirectoryRow[]>;
  directoryRows(ids: readonly string[]): Promise<DirectoryRow[]>;
  /** Returns the ids and versions of all monitors, read from an index only. */
  versions(): AsyncIterable<{ _id: string; version: number }>;
}

const DIRECTORY_PROJECTION = {
  workspace_id: 1,
  url: 1,
  type: 1,
  interval_seconds: 1,
  timeout_ms: 1,
  locations: 1,
  http: 1,
  sealed: 1,
  confirmations: 1,
  retries: 1,
  paused_at_ms: 1,
  version: 1,
  live_from_version: 1,
} as const;

/** Batch size of the cursor that reads all versions. */
const VERSIONS_BATCH_ROWS = 2_000;

/** Returns the reads of the directory. */
export function createDirectoryReads(monitors: Collection<MonitorDocument>): DirectoryReads {
  return {
    directoryPage(afterId, limit) {
      return monitors
        .find(afterId === null ? {} : { _id: { $gt: afterId } }, { projection: DIRECTORY_PROJECTION })
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    directoryRows(ids) {
      return monitors.find({ _id: { $in: [...ids] } }, { projection: DIRECTORY_PROJECTION }).toArray();
    },
    versions() {
      return monitors
        .find({}, { projection: { version: 1 }, hint: { _id: 1, version: 1 } })
        .sort({ _id: 1 })
        .batchSize(VERSIONS_BATCH_ROWS);
    },
  };
}
