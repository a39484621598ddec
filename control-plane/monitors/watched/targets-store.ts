import type { Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';

/** What a monitor checks. The secrets in its URL are masked; its host is none. */
export type MonitorTarget = Pick<MonitorDocument, '_id' | 'type' | 'url'>;

export interface TargetReads {
  /** Returns the targets of the active monitors of the workspace, the oldest first. */
  activeTargets(workspaceId: string, afterId: string | null, rowsMax: number): Promise<MonitorTarget[]>;
  /** Returns the workspaces with a monitor. */
  workspacesWithMonitors(): Promise<string[]>;
}

export function createTargetReads(monitors: Collection<MonitorDocument>): TargetReads {
  return {
    activeTargets: (workspaceId, afterId, rowsMax) =>
      monitors
        .find({
          ...{ workspace_id: workspaceId, paused_at_ms: null },
          ...(afterId === null ? {} : { _id: { $gt: afterId } }),
        })
        .project<MonitorTarget>({ type: 1, url: 1 })
        .sort({ _id: 1 })
        .limit(rowsMax)
        .batchSize(rowsMax)
        .toArray(),
    workspacesWithMonitors: () => monitors.distinct('workspace_id'),
  };
}
