import type { Collection } from 'mongodb';
import type { MonitorDocument, UptimeWindow } from '../documents.js';

type ShownWindow = Pick<UptimeWindow, 'uptime' | 'coverage'>;

/** The fields of a monitor that its summary shows. */
export interface SummaryRow
  extends Pick<MonitorDocument, '_id' | 'name' | 'url' | 'type' | 'tags' | 'locations' | 'good' | 'paused_at_ms'> {
  state: Pick<MonitorDocument['state'], 'status' | 'changed_at_ms'>;
  certificate: { not_after_ms: number } | null;
  uptime: { day: ShownWindow; month: ShownWindow } | null;
}

export interface SummaryReads {
  /** Returns the newest first, those older than `afterId`; only those of `ids` unless it is null. */
  summaryRows(
    workspaceId: string,
    ids: readonly string[] | null,
    afterId: string | null,
    rowsMax: number,
  ): Promise<SummaryRow[]>;
  /** Returns the monitors that are down, read from an index only. */
  downIds(workspaceId: string): Promise<string[]>;
}

const PROJECTION = {
  name: 1,
  url: 1,
  type: 1,
  tags: 1,
  locations: 1,
  good: 1,
  paused_at_ms: 1,
  'state.status': 1,
  'state.changed_at_ms': 1,
  'certificate.not_after_ms': 1,
  'uptime.day.uptime': 1,
  'uptime.day.coverage': 1,
  'uptime.month.uptime': 1,
  'uptime.month.coverage': 1,
} as const;

/** A batch is decoded at once; other requests run between two. */
const BATCH_ROWS = 1_000;

export function createSummaryReads(monitors: Collection<MonitorDocument>): SummaryReads {
  return {
    summaryRows(workspaceId, ids, afterId, rowsMax) {
      const id = {
        ...(ids === null ? {} : { $in: [...ids] }),
        ...(afterId === null ? {} : { $lt: afterId }),
      };
      return monitors
        .find(
          { workspace_id: workspaceId, ...(Object.keys(id).length === 0 ? {} : { _id: id }) },
          // Picket wrote the text, so it is valid UTF-8.
          { enableUtf8Validation: false },
        )
        .project<SummaryRow>(PROJECTION)
        .sort({ _id: -1 })
        .limit(rowsMax)
        .batchSize(Math.min(rowsMax, BATCH_ROWS))
        .toArray();
    },
    async downIds(workspaceId) {
      const filter = { workspace_id: workspaceId, paused_at_ms: null, 'state.status': 'down' as const };
      const rows = await monitors.find(filter).project<{ _id: string }>({ _id: 1 }).sort({ _id: -1 }).toArray();
      return rows.map(({ _id }) => _id);
    },
  };
}
