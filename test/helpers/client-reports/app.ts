import { systemActor } from '../../../control-plane/actor.js';
import { createReadBackups } from '../../../control-plane/backup-jobs/report-facts.js';
import { createBackupRunStore } from '../../../control-plane/backup-jobs/runs/store.js';
import { createBackupJobStore } from '../../../control-plane/backup-jobs/store.js';
import { createReadReputation } from '../../../control-plane/blacklist/reputation.js';
import { createBlacklistMonitorStore } from '../../../control-plane/blacklist/store.js';
import type { ReportContent } from '../../../control-plane/client-reports/content/content.js';
import type { ReportPartDocument } from '../../../control-plane/client-reports/documents.js';
import { clientReportsSlice } from '../../../control-plane/client-reports/open.js';
import type { Report } from '../../../control-plane/client-reports/schema.js';
import { createReadDomains } from '../../../control-plane/domain-expiry/report-facts.js';
import { createMonitoredDomainStore } from '../../../control-plane/domain-expiry/store.js';
import { createReadDeliverability } from '../../../control-plane/email-domains/deliverability.js';
import { createEmailDomainStore } from '../../../control-plane/email-domains/store.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import {
  createHoursReader,
  createMetricsReader,
  createSlotsReader,
} from '../../../control-plane/results/read-metrics.js';
import type { HeadDocument, PackedDocument } from '../../../control-plane/results/rollup/documents.js';
import { createRollupStore } from '../../../control-plane/results/rollup/store.js';
import { createResultRoutes } from '../../../control-plane/results/routes.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { percentUp } from '../../../control-plane/results/uptime/uptime.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import { createReadScans } from '../../../control-plane/scans/report-facts.js';
import { createScanStore } from '../../../control-plane/scans/store.js';
import type { Job } from '../../../control-plane/slice.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createJobStore } from '../../../control-plane/wordpress/jobs/store.js';
import { createReadSites, scoreOfSites } from '../../../control-plane/wordpress/report-facts.js';
import { createSiteStore } from '../../../control-plane/wordpress/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { startApp, type TestApp } from '../app.js';
import { testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { openRecipients } from '../recipients/open.js';
import { buildMonitor } from '../results/history.js';
import { neverSetAside } from '../set-aside.js';
import { WORKING } from '../standing.js';

export const PATH = '/api/v1/client-reports';
export const PUBLIC_URL = 'https://picket.example.com/tools';
/** In the future, because the database removes what has expired by its own clock. */
export const NOW = Date.UTC(2031, 0, 31, 12, 34, 56);
export const HOUR_MS = 3_600_000;
export const DAY_MS = 24 * HOUR_MS;

/** The job that generates reports. It is woken by each new one, and generates nothing while it waits for the test. */
interface TestJob {
  waits: boolean;
  runOnce?(): Promise<unknown>;
  stop?(): void | Promise<void>;
}

interface Opened {
  runOnce(): Promise<unknown>;
  mailJobs: readonly Job[];
}

/** Some hours of a monitor: per hour, which part of it the monitor was up. */
export interface HoursOf {
  fromMs: number;
  /** Parts of an hour, from 0 to 1; null for an hour without data. */
  up: readonly (number | null)[];
}

/** The API of reports and of metrics on a real database. Reports are generated when the test says so. */
export async function startReportsApp(options: { plan?: PlanName; beside?: { mongo: Mongo }; smtpUrl?: string } = {}) {
  const own = options.beside === undefined ? await testDatabase() : null;
  const mongo = own ?? options.beside?.mongo;
  if (mongo === undefined) throw new Error('no database');
  const { db } = mongo;
  const clock = testClock(NOW);
  const logger = createLogger({ name: 'test', level: 'silent' });
  const stores = {
    monitors: createMonitorStore(db),
    incidents: createIncidentStore(db, []),
    rollups: createRollupStore(db),
    results: createResultsStore(db, neverSetAside),
    blacklists: createBlacklistMonitorStore(db),
    backupJobs: createBackupJobStore(db),
    backupRuns: createBackupRunStore(db),
    emailDomains: createEmailDomainStore(db),
    domains: createMonitoredDomainStore(db),
    sites: createSiteStore(db),
    siteJobs: createJobStore(db),
    scans: createScanStore(db),
  };
  await Promise.all(Object.values(stores).map((store) => store.ensureIndexes()));
  const quarantines = { spans: async () => new Map() };
  const readSlots = createSlotsReader({
    store: stores.rollups,
    results: stores.results,
    quarantines,
    maintenance: NO_MAINTENANCE,
  });
  const job: TestJob = { waits: true };
  const mounts: Mount[] = [];
  const schedules: Opened = { runOnce: async () => undefined, mailJobs: [] };
  const app = await startApp({
    mongo,
    clock,
    plan: options.plan ?? 'Enterprise',
    mounts: () => mounts,
    async routes(parts) {
      const { mail, recipients } = openRecipients({
        ...{ ...parts, smtpUrl: options.smtpUrl ?? null, publicUrl: PUBLIC_URL },
      });
      await Promise.all([mail.ensureIndexes(), recipients.ensureIndexes()]);
      schedules.mailJobs = mail.jobs;
      const opened = await clientReportsSlice.open({
        ...parts,
        db,
        clock,
        logger,
        percentUp,
        publicUrl: PUBLIC_URL,
        random: systemRandom,
        leases: createLeaseStore(db),
        owner: parts.ids.next('job'),
        standingOf: async () => ({ ...WORKING, stopped: job.waits }),
        runRequestTransaction: parts.runTransaction,
        ...{ recipients: recipients.people, mailer: mail.mailer, tracked: mail.tracked },
        existingMonitors: async (tx, workspaceId, ids) =>
          new Set((await stores.monitors.versionsOf(tx, workspaceId, ids)).keys()),
        systemActor: async (id) => systemActor({ id, name: 'The agency', plan: options.plan ?? 'Enterprise' }, 'evt'),
        sources: {
          monitors: stores.monitors.listOldest,
          hours: createHoursReader(readSlots),
          incidents: stores.incidents.began,
          reputation: createReadReputation(stores.blacklists),
          backups: createReadBackups({
            ...{ store: stores.backupJobs, runs: stores.backupRuns },
            standingOf: async () => ({ ...WORKING, retentionPlan: options.plan ?? 'Enterprise' }),
          }),
          emailDomains: createReadDeliverability(stores.emailDomains),
          domains: createReadDomains(stores.domains),
          sites: createReadSites(stores),
          scoreOfSites,
          scans: createReadScans(stores.scans),
        },
      });
      await opened.ensureIndexes?.();
      const [generation, , ofSchedules] = opened.jobs ?? [];
      Object.assign(job, generation);
      Object.assign(schedules, ofSchedules);
      mounts.push(...(opened.mounts ?? []));
      const budget = createPointsBudget(clock);
      const readMetrics = createMetricsReader(readSlots);
      const results = createResultRoutes({
        ...{ ...parts, monitors: stores.monitors, results: stores.results, readMetrics, budget, clock },
        locations: { codes: () => ['fra'] },
      });
      return [...(opened.routes ?? []), ...results];
    },
  });
  for (const mailJob of schedules.mailJobs) await mailJob.start();
  /** Runs the task of the schedules. */
  const tick = async ({ stopped = false } = {}) => {
    job.waits = stopped;
    await schedules.runOnce();
    job.waits = true;
  };
  /** Does something while the workspace is not stopped. */
  const working = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    job.waits = false;
    return work().finally(() => {
      job.waits = true;
    });
  };
  return { ...app, ...stores, mongo, clock, tick, working, ...actions(app, mongo, job), stop: () => stop() };

  async function stop(): Promise<void> {
    for (const mailJob of schedules.mailJobs) await mailJob.stop();
    await job.stop?.();
    await app.close();
    await own?.drop();
  }
}

function actions(app: TestApp, { db }: Mongo, job: TestJob) {
  const find = async (id: string) => (await app.request<Report>('GET', `${PATH}/${id}`)).body.data;
  const generate = async () => {
    job.waits = false;
    // A run that has begun before now may have left out what waited, for a minute.
    await job.runOnce?.();
    await db.collection('client_reports').updateMany({ open: true }, { $set: { retry_at_ms: 0 } });
    await job.runOnce?.();
    job.waits = true;
  };
  return {
    create: (body: Record<string, unknown> = {}, key = app.key) =>
      app.request<Report>('POST', PATH, { body: { title: 'January', client_name: 'Example Ltd', ...body }, key }),
    find,
    /** Generates what waits. */
    generate,
    /** Creates a report and waits until it is generated. */
    async made(body: Record<string, unknown> = {}): Promise<Report> {
      const created = await app.request<Report>('POST', PATH, {
        body: { title: 'January', client_name: 'Example Ltd', ...body },
      });
      if (created.status !== 202) throw new Error(created.text);
      for (let report = created.body.data; ; report = await find(report.id)) {
        if (report.status !== 'generating') return report;
        await generate();
      }
    },
    /** Returns a file, or a range of it. */
    async download(id: string, headers: Record<string, string> = {}, form = 'download') {
      const answer = await fetch(`${app.url}${PATH}/${id}/${form}`, {
        headers: { authorization: `Bearer ${app.key}`, ...headers },
      });
      return { status: answer.status, headers: answer.headers, bytes: Buffer.from(await answer.arrayBuffer()) };
    },
    /** Returns what a completed report says. */
    async content(id: string): Promise<ReportContent> {
      const parts = await db
        .collection<ReportPartDocument>('client_report_parts')
        .find({ report_id: id, file: 'content' })
        .sort({ _id: 1 })
        .toArray();
      return JSON.parse(Buffer.concat(parts.map((part) => part.bytes.value())).toString()) as ReportContent;
    },
    parts: (id: string) => db.collection<ReportPartDocument>('client_report_parts').countDocuments({ report_id: id }),
    async addMonitor(over: Partial<MonitorDocument> = {}, ...history: HoursOf[]): Promise<MonitorDocument> {
      const monitor = buildMonitor({ workspace_id: app.workspace.id, locations: ['fra'], ...over });
      await db.collection<MonitorDocument>('monitors').insertOne(monitor);
      // Up to here, the hours are final.
      const through_ms = NOW - (NOW % HOUR_MS);
      await db.collection<HeadDocument>('rollup_heads').insertOne({
        ...{ _id: monitor._id, workspace_id: app.workspace.id, through_ms, horizon_ms: through_ms, recent: {} },
        ...{ sums: null, pauses_ms: [], refreshed_ms: NOW, fence: 0, expires_at: new Date(NOW + 900 * DAY_MS) },
      });
      for (const hours of history) await addHours(db, monitor, hours);
      return monitor;
    },
    async addIncidents(...incidents: IncidentDocument[]): Promise<void> {
      await db.collection<IncidentDocument>('incidents').insertMany(incidents);
    },
  };
}

async function addHours(
  db: Mongo['db'],
  { _id, workspace_id }: MonitorDocument,
  { fromMs, up }: HoursOf,
): Promise<void> {
  const hours = db.collection<PackedDocument>('result_hours');
  for (const [index, part] of up.entries()) {
    if (part === null) continue;
    const atMs = fromMs + index * HOUR_MS;
    const start_ms = atMs - (atMs % DAY_MS);
    const failed = Math.round(60 * (1 - part));
    const slot = { o: HOUR_MS, u: Math.round(HOUR_MS * part), l: { fra: [60, failed, (60 - failed) * 80_000, 0, 0] } };
    await hours.updateOne(
      { _id: `${_id}/${String(start_ms).padStart(13, '0')}` },
      {
        $set: {
          ...{ workspace_id, monitor_id: _id, start_ms, fence: 0, expires_at: new Date(NOW + 900 * DAY_MS) },
          [`slots.${(atMs - start_ms) / HOUR_MS}`]: slot,
        },
      },
      { upsert: true },
    );
  }
}
