import type { Db } from 'mongodb';
import type { Actor } from '../actor.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Mailer, TrackedMails } from '../mail/mailer.js';
import type { StandingOf } from '../plans/cache.js';
import type { Recipients } from '../recipients/recipients.js';
import { createReferenceLock } from '../references/lock.js';
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
import { createScheduleJob } from './schedules/due/job.js';
import { sharedReportMount } from './schedules/link/mount.js';
import type { ScheduleNeeds } from './schedules/needs.js';
import { schedulesQuota } from './schedules/quota.js';
import { scheduleReferences } from './schedules/references.js';
import { createScheduleRoutes } from './schedules/routes.js';
import { createRunStore } from './schedules/runs-store.js';
import { createScheduleStore } from './schedules/store.js';
import { createReportStore } from './store.js';
import { verificationMount } from './verification/mount.js';

interface ClientReportsNeeds extends Omit<ReportNeeds, 'store' | 'files' | 'months'>, LeasedPeriodicTaskNeeds {
  db: Db;
  sources: ReportSources;
  percentUp: PercentUp;
  /** Without a slash at the end. */
  publicUrl: string;
  standingOf: StandingOf;
  recipients: Recipients;
  existingMonitors: ScheduleNeeds['existingMonitors'];
  mailer: Mailer;
  tracked: TrackedMails;
  /** Returns Picket itself as an actor in the workspace. */
  systemActor(workspaceId: string): Promise<Actor>;
  /** Of tasks, which nobody waits for. */
  runTransaction: RunTransaction;
}

/** Reports take seconds, and a hundred can be requested at once. */
const LATE_MS = 10 * 60_000;

/** Client reports: PDF files of what Picket knows of a workspace, generated in the background. */
export const clientReportsSlice: Slice<'clientReports', ClientReportsNeeds, OpenedSlice> = {
  name: 'clientReports',
  scopes: ['reports:read', 'reports:write'],
  auditActions: [
    'report.created',
    'report.downloaded',
    'report.previewed',
    'report.deleted',
    'report.schedule_created',
    'report.schedule_updated',
    'report.schedule_deleted',
  ],
  idPrefixes: ['rpt', 'sch'],
  open(needs) {
    const store = createReportStore(needs.db);
    const files = createReportFilesStore(needs.db);
    const months = createReportMonthsStore(needs.db);
    const guesses = createGuessLimit({ ...needs, what: 'verification code', store: createRateLimitStore(needs.db) });
    const schedules = createScheduleStore(needs.db);
    const runs = createRunStore(needs.db);
    const linkGuesses = createGuessLimit({ ...needs, what: 'report link', store: createRateLimitStore(needs.db) });
    const shared = { ...needs, store, files, months, schedules, runs };
    const ofSchedules = { ...shared, referenceLock: createReferenceLock(needs.db) };
    const scheduleJob = createScheduleJob(shared);
    const job = createReportJob({ ...shared, makePdf: createMakePdf(needs) });
    const wake = () =>
      void job.runOnce().catch((err: unknown) => {
        needs.logger.warn({ err }, 'failed to begin with a report at once; the next tick retries');
      });
    return {
      routes: [
        ...createReportRoutes({ ...shared, previews: createPreviews(shared) }, wake),
        ...createScheduleRoutes(ofSchedules),
      ],
      quotas: [reportsQuota(months, needs.clock), schedulesQuota(schedules)],
      referenceHolders: [scheduleReferences(ofSchedules)],
      backlogs: [{ name: 'client_reports', lateMs: LATE_MS, read: store.waiting }],
      mounts: [verificationMount({ store, guesses }), sharedReportMount({ ...shared, guesses: linkGuesses })],
      jobs: [job, guesses, scheduleJob, linkGuesses],
      async ensureIndexes() {
        await Promise.all([store, files, months, schedules, runs].map((one) => one.ensureIndexes()));
      },
    };
  },
};
