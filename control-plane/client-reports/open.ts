import type { Db } from 'mongodb';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { StandingOf } from '../plans/cache.js';
import type { OpenedSlice, Slice } from '../slice.js';
import type { LeasedPeriodicTaskNeeds } from '../storage/leases/leased-periodic-task.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { PercentUp } from './content/figures.js';
import { createReportFilesStore } from './download/files-store.js';
import type { ReportSources } from './facts/facts.js';
import { createReportJob } from './generation/job.js';
import { createReportMonthsStore } from './months-store.js';
import type { ReportNeeds } from './needs.js';
import { createMakePdf } from './pdf/make-pdf.js';
import { createPreviews } from './preview/previews.js';
import { reportsQuota } from './quota.js';
import { createReportRoutes } from './routes.js';
import { createReportStore } from './store.js';
import { verificationMount } from './verification/mount.js';

interface ClientReportsNeeds extends Omit<ReportNeeds, 'store' | 'files' | 'months'>, LeasedPeriodicTaskNeeds {
  db: Db;
  sources: ReportSources;
  percentUp: PercentUp;
  /** Without a slash at the end. */
  publicUrl: string;
  standingOf: StandingOf;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
}

/** Reports take seconds, and a hundred can be requested at once. */
const LATE_MS = 10 * 60_000;

/** Client reports: PDF files of what Picket knows of a workspace, generated in the background. */
export const clientReportsSlice: Slice<'clientReports', ClientReportsNeeds, OpenedSlice> = {
  name: 'clientReports',
  scopes: ['reports:read', 'reports:write'],
  auditActions: ['report.created', 'report.downloaded', 'report.previewed', 'report.deleted'],
  idPrefixes: ['rpt'],
  open(needs) {
    const store = createReportStore(needs.db);
    const files = createReportFilesStore(needs.db);
    const months = createReportMonthsStore(needs.db);
    const guesses = createGuessLimit({ ...needs, what: 'verification code', store: createRateLimitStore(needs.db) });
    const shared = { ...needs, store, files, months };
    const job = createReportJob({ ...shared, makePdf: createMakePdf(needs) });
    const wake = () =>
      void job.runOnce().catch((err: unknown) => {
        needs.logger.warn({ err }, 'failed to begin with a report at once; the next tick retries');
      });
    return {
      routes: createReportRoutes({ ...shared, previews: createPreviews(shared) }, wake),
      quotas: [reportsQuota(months, needs.clock)],
      backlogs: [{ name: 'client_reports', lateMs: LATE_MS, read: store.waiting }],
      mounts: [verificationMount({ store, guesses })],
      jobs: [job, guesses],
      async ensureIndexes() {
        await Promise.all([store.ensureIndexes(), files.ensureIndexes(), months.ensureIndexes()]);
      },
    };
  },
};
