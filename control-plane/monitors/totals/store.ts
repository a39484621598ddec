import type { Collection } from 'mongodb';
import type { MonitorDocument } from '../documents.js';
import type { MonitorType } from '../schema.js';
import type { MonitorTotals } from './schema.js';
import { STATE } from './state.js';

/** The monitors of a workspace with one status and one type. */
export interface TotalsRow {
  _id: { status: keyof MonitorTotals['by_status']; type: MonitorType };
  count: number;
  /** Sum of the percentages of 30 days that were observed, of those that count in uptime, and in which the monitor was up. */
  observed: number;
  counted: number;
  up: number;
}

export interface TotalsReads {
  /** Returns a row for each status and type that a monitor of the workspace has. */
  totals(workspaceId: string): Promise<TotalsRow[]>;
}

const DAYS_30_MS = 30 * 86_400_000;
const OBSERVED = { $ifNull: ['$uptime.month.coverage', 0] };
/** What counts in uptime: maintenance that is left out was observed and does not count. As percentages of 30 days. */
const LEFT_OUT = { $divide: [{ $ifNull: ['$uptime.month.left_out_ms', 0] }, DAYS_30_MS / 100] };
const COUNTED = { $max: [0, { $subtract: [OBSERVED, LEFT_OUT] }] };
/** 100 % divided first is exactly 1, so that a month without downtime stays one. */
const UPTIME = { $divide: [{ $ifNull: ['$uptime.month.uptime', 0] }, 100] };

export function createTotalsReads(monitors: Collection<MonitorDocument>): TotalsReads {
  return {
    totals(workspaceId) {
      return monitors
        .aggregate<TotalsRow>([
          { $match: { workspace_id: workspaceId } },
          {
            $group: {
              _id: { status: STATE, type: '$type' },
              count: { $sum: 1 },
              observed: { $sum: OBSERVED },
              counted: { $sum: COUNTED },
              up: { $sum: { $multiply: [COUNTED, UPTIME] } },
            },
          },
        ])
        .toArray();
    },
  };
}
