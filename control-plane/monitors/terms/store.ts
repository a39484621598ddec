import type { Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';
import type { TermsMonitor, TermsUpdate } from './apply.js';

/** What the terms of a workspace read and write of its monitors. */
export interface TermsStore {
  /** Returns the monitors after `afterId`, ordered by id. */
  termsPage(workspaceId: string, afterId: string | null, limit: number): Promise<TermsMonitor[]>;
  /**
   * Writes the updates and increments `version`, and `revision` of the state, so that an evaluation that began before is
   * discarded. Skips monitors that were changed since they were read; returns how many it wrote.
   */
  writeTerms(writes: readonly { monitor: TermsMonitor; update: TermsUpdate }[]): Promise<number>;
}

const FIELDS = {
  workspace_id: 1,
  version: 1,
  interval_seconds: 1,
  locations: 1,
  confirmations: 1,
  wanted: 1,
  paused_at_ms: 1,
  stopped: 1,
  live: 1,
  last_checked_at_ms: 1,
} as const;

export function createTermsStore(monitors: Collection<MonitorDocument>): TermsStore {
  return {
    termsPage(workspaceId, afterId, limit) {
      return monitors
        .find({ workspace_id: workspaceId, ...(afterId === null ? {} : { _id: { $gt: afterId } }) })
        .project<TermsMonitor>(FIELDS)
        .sort({ _id: 1 })
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    async writeTerms(writes) {
      if (writes.length === 0) return 0;
      const { matchedCount } = await monitors.bulkWrite(
        writes.map(({ monitor: { _id, workspace_id, version }, update }) => ({
          updateOne: {
            filter: { _id, workspace_id, version },
            update: { ...update, $inc: { version: 1, 'state.revision': 1 } },
          },
        })),
        { ordered: false },
      );
      return matchedCount;
    },
  };
}
