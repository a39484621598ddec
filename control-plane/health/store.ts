import type { Db } from 'mongodb';
import type { ControlPlaneReport, ReportedNow } from './documents.js';

/** A report with its age by the database's clock. */
export type AgedReport = ControlPlaneReport & { age_ms: number };

/** Stores what control planes report about themselves. */
export interface ReportStore {
  ensureIndexes(): Promise<void>;
  report(id: string, now: ReportedNow): Promise<void>;
  /** Records that the control plane stops. */
  leave(id: string): Promise<void>;
  /** Returns those that were heard last, the newest first. */
  newest(reportsMax: number): Promise<AgedReport[]>;
}

/** A control plane that is gone is shown for this time. */
const KEPT_S = 3_600;

export function createReportStore(db: Db): ReportStore {
  const reports = db.collection<ControlPlaneReport>('control_plane_reports');
  return {
    async ensureIndexes() {
      await reports.createIndexes([{ key: { seen_at: 1 }, expireAfterSeconds: KEPT_S }]);
    },
    async report(id, now) {
      const reported = { ...now, seen_at: '$$NOW', stopped: false, started_at: { $ifNull: ['$started_at', '$$NOW'] } };
      await reports.updateOne({ _id: id }, [{ $set: { ...reported, version: { $literal: now.version } } }], {
        upsert: true,
      });
    },
    async leave(id) {
      await reports.updateOne({ _id: id }, { $set: { stopped: true }, $currentDate: { seen_at: true } });
    },
    newest: (reportsMax) =>
      reports
        .aggregate<AgedReport>([
          { $sort: { seen_at: -1 } },
          { $limit: reportsMax },
          { $set: { age_ms: { $subtract: ['$$NOW', '$seen_at'] } } },
        ])
        .toArray(),
  };
}
