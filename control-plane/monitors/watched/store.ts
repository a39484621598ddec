import type { Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';

/** The fields of a monitor from which its state now and its history are computed. */
export type WatchedMonitor = Pick<
  MonitorDocument,
  | ('_id' | 'workspace_id' | 'name' | 'tags' | 'locations' | 'confirmations' | 'interval_seconds')
  | ('paused_at_ms' | 'live' | 'state')
>;

const FIELDS = {
  workspace_id: 1,
  name: 1,
  tags: 1,
  locations: 1,
  confirmations: 1,
  interval_seconds: 1,
  paused_at_ms: 1,
  live: 1,
  state: 1,
} as const;

export interface WatchedReads {
  /** Returns the monitors of the workspace with one of these ids or tags, the oldest first. */
  watched(
    workspaceId: string,
    by: { ids: readonly string[]; tags: readonly string[] },
    rowsMax: number,
  ): Promise<WatchedMonitor[]>;
}

export function createWatchedReads(monitors: Collection<MonitorDocument>): WatchedReads {
  return {
    watched: (workspaceId, { ids, tags }, rowsMax) =>
      monitors
        .find({
          workspace_id: workspaceId,
          $or: [{ _id: { $in: [...ids] } }, { tags: { $in: [...tags] } }],
        })
        .project<WatchedMonitor>(FIELDS)
        .sort({ _id: 1 })
        .limit(rowsMax)
        .batchSize(rowsMax)
        .toArray(),
  };
}
