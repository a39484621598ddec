import { createStandingStore } from '../../../control-plane/accounts/standing/store.js';
import type { AuditDocument } from '../../../control-plane/audit/documents.js';
import type { RunDocument } from '../../../control-plane/backup-jobs/documents.js';
import { backupJobsSlice, backupRecordsSlice, type OpenedBackupJobs } from '../../../control-plane/backup-jobs/open.js';
import type { BackupJobWithUrl, BackupRun } from '../../../control-plane/backup-jobs/schema.js';
import type { Mount } from '../../../control-plane/http/mount.js';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createReferences } from '../../../control-plane/references/references.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { createRulesWorld, openRulesPlane, otherRoutes, type RulesPlane } from '../alert-rules/plane.js';
import { startApp, type TestParts } from '../app.js';
import { testClock } from '../clock.js';
import { testDatabase } from '../database.js';
import { WORKING } from '../standing.js';

export const PATH = '/v1/backup-jobs';
/** In the future, because the database removes what has expired by its own clock. */
const NOW = Date.UTC(2031, 0, 31, 12);
export const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
/** Of a job that begins at 02:00 UTC each day. */
export const DAILY = { name: 'Nightly dump', schedule: { cron: '0 2 * * *', time_zone: 'UTC' }, grace_seconds: 600 };

/** The API of backup jobs, of alert rules and of incidents, and the ping URLs, on a real database. */
export async function startBackupApp(options: { plan?: PlanName; nowMs?: number } = {}) {
  const mongo = await testDatabase();
  const { db } = mongo;
  const clock = testClock(options.nowMs ?? NOW);
  const world = createRulesWorld(mongo, clock);
  const records = backupRecordsSlice.open({ db });
  const logger = createLogger({ name: 'test', level: 'silent' });
  const stopped = new Set<string>();
  const standings = createStandingStore(db, clock);
  /** How long each look-up of a standing takes by the test's clock. */
  const slow = { ms: 0 };
  const mounts: Mount[] = [];
  const planes: RulesPlane[] = [];
  const judges: OpenedBackupJobs['judging'][] = [];
  function open(parts: TestParts, owner: string) {
    const rules = openRulesPlane(world, parts, owner);
    planes.push(rules.plane);
    const opened = backupJobsSlice.open({
      ...{ ...parts, db, records, clock, logger, owner },
      random: systemRandom,
      publicUrl: 'http://picket.test',
      leases: createLeaseStore(db),
      async standingOf(workspaceId) {
        if (slow.ms > 0) clock.stall(slow.ms);
        const standing = (await standings.standings([workspaceId])).get(workspaceId) ?? WORKING;
        return { ...standing, stopped: standing.stopped || stopped.has(workspaceId) };
      },
      references: createReferences(db, () => rules.referenceHolders ?? []),
      listener: rules.plane.backupListener,
      ensureDefaultRule: rules.plane.ensureDefaultBackupRule,
    });
    judges.push(opened.judging);
    return { opened, rules };
  }
  const app = await startApp({
    ...{ mongo, clock, plan: options.plan ?? 'Enterprise' },
    async routes(parts) {
      const { opened, rules } = open(parts, 'first');
      await Promise.all([
        ...[records.ensureIndexes(), rules.ensureIndexes(), world.notifying.ensureIndexes()],
        ...[world.data.ensureIndexes(), createTimelineStore(db, parts.ids).ensureIndexes()],
      ]);
      mounts.push(...(opened.mounts ?? []));
      return [...(opened.routes ?? []), ...rules.routes, ...otherRoutes(world, parts)];
    },
    mounts: () => mounts,
  });

  const judge = (which = 0) => judges[which]?.runOnce();
  const ping = async (job: Pick<BackupJobWithUrl, 'ping_url'>, path = '', init: RequestInit = {}) => {
    const answer = await fetch(`${app.url}${new URL(job.ping_url).pathname}${path}`, init);
    return { status: answer.status, text: await answer.text(), headers: answer.headers };
  };
  return {
    ...{ app, mongo, clock, stopped, records, judge, ping, notifying: world.notifying },
    slow,
    suspend: () =>
      app.parts.runTransaction((tx) =>
        standings.suspend(tx, app.workspace.id, { at_ms: clock.now(), reason: 'Not paid.' }),
      ),
    resume: () => app.parts.runTransaction((tx) => standings.resume(tx, app.workspace.id, clock.now())),
    /** Adds old runs to a job that has one. */
    async addRuns(jobId: string, count: number): Promise<void> {
      const runs = db.collection<RunDocument>('backup_runs');
      const [first] = await runs.find({ job_id: jobId }).toArray();
      if (first === undefined) throw new Error('the job has no run');
      const ids = Array.from({ length: count }, (_, index) => `bkr_${String(index).padStart(26, '0')}`);
      await runs.insertMany(ids.map((_id) => ({ ...first, _id })));
    },
    countRuns: (jobId: string) => db.collection<RunDocument>('backup_runs').countDocuments({ job_id: jobId }),
    sweep: () => planes[0]?.sweep(),
    /** Ends the work of the first control plane, so that its lease is free. */
    kill: () => judges[0]?.stop(),
    /** Adds a control plane on the same database. Returns its number. */
    restart: () => {
      open(app.parts, `plane-${judges.length}`);
      return judges.length - 1;
    },
    async created(body: object = {}): Promise<BackupJobWithUrl> {
      const answer = await app.request<BackupJobWithUrl>('POST', PATH, { body: { ...DAILY, ...body } });
      if (answer.status !== 201) throw new Error(answer.text);
      return answer.body.data;
    },
    find: async (id: string) => (await app.request<BackupJobWithUrl>('GET', `${PATH}/${id}`)).body.data,
    runs: async (id: string) => (await app.request<BackupRun[]>('GET', `${PATH}/${id}/runs`)).body.data,
    storedRuns: () => db.collection<RunDocument>('backup_runs').find().sort({ _id: 1 }).toArray(),
    incidents: () => db.collection<IncidentDocument>('incidents').find().sort({ _id: 1 }).toArray(),
    async outbox(): Promise<string[]> {
      const rows = await db.collection('outbox').find().sort({ event_ms: 1, _id: 1 }).toArray();
      return rows.map((row) => String(row['event']));
    },
    async actions(): Promise<string[]> {
      const entries = await db.collection<AuditDocument>('audit_log').find().sort({ _id: 1 }).toArray();
      return entries.map(({ action }) => action).filter((action) => action.startsWith('backup_job.'));
    },
    /** Moves the clock to a time, while control planes listen and look for missing pings. */
    async listenUntil(atMs: number): Promise<void> {
      for (let leftMs = atMs - clock.now(); leftMs > 0; leftMs = atMs - clock.now()) {
        await clock.advance(Math.min(leftMs, MINUTE_MS / 2));
        await judge();
      }
    },
    async stop() {
      for (const one of judges) await one.stop();
      for (const plane of planes) for (const job of plane.jobs) await job.stop();
      await app.close();
      await world.notifying.notifications.stop();
      await mongo.drop();
    },
  };
}
