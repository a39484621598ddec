import type { AggregationCursor, Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';
import { type MonitorState, STATE } from '../totals/state.js';

/** The fields of a monitor that its summary shows. The database makes them flat: decoding them takes half the time. */
export interface SummaryRow extends Pick<MonitorDocument, '_id' | 'name' | 'url' | 'type' | 'tags' | 'paused_at_ms'> {
  status: MonitorDocument['state']['status'];
  state: MonitorState;
  changed_at_ms: number;
  /** The latest successful result of each location that has one. */
  response_times_ms: number[];
  /** null, like the other fields from here on, or absent without one. */
  certificate_until_ms?: number | null;
  uptime_24h?: number | null;
  coverage_24h?: number | null;
  uptime_30d?: number | null;
  coverage_30d?: number | null;
}

export interface SummaryRows {
  rows: SummaryRow[];
  /** The rows end early, after `SUMMARY_BYTES_MAX`. */
  isCut: boolean;
}

export interface SummaryReads {
  /**
   * Returns the newest first, those older than `afterId`; only those of `ids` unless it is null. Fewer than there are if
   * their texts are too long for one answer.
   */
  summaryRows(
    workspaceId: string,
    ids: readonly string[] | null,
    afterId: string | null,
    rowsMax: number,
  ): Promise<SummaryRows>;
  /** Returns the monitors that are down, read from an index only. */
  downIds(workspaceId: string): Promise<string[]>;
}

const GOOD_OF_LOCATIONS = {
  $filter: { input: { $objectToArray: '$good' }, as: 'one', cond: { $in: ['$$one.k', '$locations'] } },
};

const PROJECTION = {
  name: 1,
  url: 1,
  type: 1,
  tags: 1,
  paused_at_ms: 1,
  status: '$state.status',
  state: STATE,
  changed_at_ms: '$state.changed_at_ms',
  response_times_ms: { $map: { input: GOOD_OF_LOCATIONS, as: 'one', in: '$$one.v.response_time_ms' } },
  certificate_until_ms: '$certificate.not_after_ms',
  uptime_24h: '$uptime.day.uptime',
  coverage_24h: '$uptime.day.coverage',
  uptime_30d: '$uptime.month.uptime',
  coverage_30d: '$uptime.month.coverage',
} as const;

/** A batch is decoded at once; other requests run between two. */
const BATCH_ROWS = 1_000;

/**
 * Bytes of the texts of one answer: 10,000 usual rows have a tenth of it, the longest that are allowed ten times as much.
 */
export const SUMMARY_BYTES_MAX = 16_000_000;

async function upToBytes(found: AggregationCursor<SummaryRow>): Promise<SummaryRows> {
  const rows: SummaryRow[] = [];
  let bytes = 0;
  try {
    while (await found.hasNext()) {
      for (const row of found.readBufferedDocuments()) {
        rows.push(row);
        bytes += textBytes(row);
        if (bytes >= SUMMARY_BYTES_MAX) return { rows, isCut: true };
      }
    }
    return { rows, isCut: false };
  } finally {
    await found.close();
  }
}

function textBytes({ name, url, tags }: SummaryRow): number {
  return [name, url, ...tags].reduce((sum, text) => sum + Buffer.byteLength(text), 0);
}

export function createSummaryReads(monitors: Collection<MonitorDocument>): SummaryReads {
  return {
    async summaryRows(workspaceId, ids, afterId, rowsMax) {
      const id = {
        ...(ids === null ? {} : { $in: [...ids] }),
        ...(afterId === null ? {} : { $lt: afterId }),
      };
      const found = monitors.aggregate<SummaryRow>(
        [
          { $match: { workspace_id: workspaceId, ...(Object.keys(id).length === 0 ? {} : { _id: id }) } },
          { $sort: { _id: -1 } },
          { $limit: rowsMax },
          { $project: PROJECTION },
        ],
        // Picket wrote the text, so it is valid UTF-8.
        { enableUtf8Validation: false, batchSize: Math.min(rowsMax, BATCH_ROWS) },
      );
      return upToBytes(found);
    },
    async downIds(workspaceId) {
      const filter = { workspace_id: workspaceId, paused_at_ms: null, 'state.status': 'down' as const };
      const rows = await monitors.find(filter).project<{ _id: string }>({ _id: 1 }).sort({ _id: -1 }).toArray();
      return rows.map(({ _id }) => _id);
    },
  };
}
