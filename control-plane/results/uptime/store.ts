import type { Db } from 'mongodb';
import type { MonitorDocument, UptimeSummary } from '../../monitors/documents.js';

/** The fields of a monitor that its uptime depends on, read from the database and not from the directory. */
export type UptimeSettings = Pick<
  MonitorDocument,
  '_id' | 'workspace_id' | 'tags' | 'tags_past' | 'paused_at_ms' | 'created_at_ms' | 'uptime'
>;

export interface UptimeStore {
  ensureIndexes(): Promise<void>;
  /** Returns the settings by monitor, without deleted monitors. */
  settings(monitorIds: readonly string[]): Promise<Map<string, UptimeSettings>>;
  /** Writes uptimes, except where a later computed one is stored. */
  save(uptimes: readonly { workspaceId: string; monitorId: string; uptime: UptimeSummary }[]): Promise<void>;
  /**
   * Returns monitors whose status or settings changed, or that got their first result, since their uptime was computed.
   * Leaves out those of `except`.
   */
  outdated(changedSinceMs: number, limit: number, except: readonly string[]): Promise<string[]>;
  /** Returns monitors that were paused since then and still are, those that were paused last first. */
  paused(sinceMs: number, limit: number): Promise<{ workspaceId: string; monitorId: string; pausedAtMs: number }[]>;
}

const SETTINGS_FIELDS = {
  workspace_id: 1,
  tags: 1,
  tags_past: 1,
  paused_at_ms: 1,
  created_at_ms: 1,
  uptime: 1,
} as const;

export function createUptimeStore(db: Db): UptimeStore {
  const monitors = db.collection<MonitorDocument>('monitors');
  return {
    async ensureIndexes() {
      await monitors.createIndexes([
        { key: { 'state.changed_at_ms': 1 } },
        { key: { updated_at_ms: 1 } },
        { key: { paused_at_ms: 1 }, partialFilterExpression: { paused_at_ms: { $gt: 0 } } },
      ]);
    },
    async settings(monitorIds) {
      const rows = await monitors
        .find({ _id: { $in: [...monitorIds] } }, { projection: SETTINGS_FIELDS, batchSize: monitorIds.length + 1 })
        .toArray();
      return new Map(rows.map((row) => [row._id, row]));
    },
    async save(uptimes) {
      if (uptimes.length === 0) return;
      await monitors.bulkWrite(
        uptimes.map(({ workspaceId, monitorId, uptime }) => ({
          updateOne: {
            filter: {
              _id: monitorId,
              workspace_id: workspaceId,
              'uptime.computed_at_ms': { $not: { $gt: uptime.computed_at_ms } },
            },
            update: { $set: { uptime } },
          },
        })),
        { ordered: false },
      );
    },
    async outdated(changedSinceMs, limit, except) {
      const rows = await monitors
        .find(
          {
            $or: [{ 'state.changed_at_ms': { $gte: changedSinceMs } }, { updated_at_ms: { $gte: changedSinceMs } }],
            live: { $ne: {} },
            ...(except.length === 0 ? {} : { _id: { $nin: [...except] } }),
            $expr: { $lt: ['$uptime.computed_at_ms', { $max: ['$state.changed_at_ms', '$updated_at_ms'] }] },
          },
          { projection: { _id: 1 }, limit },
        )
        .toArray();
      return rows.map((row) => row._id);
    },
    async paused(sinceMs, limit) {
      const rows = await monitors
        .find({ paused_at_ms: { $gte: sinceMs } }, { projection: SETTINGS_FIELDS, limit })
        .sort({ paused_at_ms: -1 })
        .toArray();
      return rows.map((row) => ({
        workspaceId: row.workspace_id,
        monitorId: row._id,
        pausedAtMs: row.paused_at_ms ?? sinceMs,
      }));
    },
  };
}
