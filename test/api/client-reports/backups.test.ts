import t from 'tap';
import type { BackupJobDocument, RunDocument } from '../../../control-plane/backup-jobs/documents.js';
import { createReadBackups } from '../../../control-plane/backup-jobs/report-facts.js';
import { createBackupRunStore } from '../../../control-plane/backup-jobs/runs/store.js';
import { createBackupJobStore } from '../../../control-plane/backup-jobs/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { DAY_MS, HOUR_MS, NOW, startReportsApp } from '../../helpers/client-reports/app.js';
import { figuresBySection, recompute, type SectionFigures } from '../../helpers/client-reports/recompute.js';
import { WORKING } from '../../helpers/standing.js';

const FROM = Date.UTC(2031, 0, 1);
const TO = Date.UTC(2031, 0, 31);
const period = { from: new Date(FROM).toISOString(), to: new Date(TO).toISOString() };
const TITLE = 'Backup Verification';

const app = await startReportsApp();
t.teardown(() => app.stop());
const of = { workspace_id: app.workspace.id };

async function addJob(id: string, over: Partial<BackupJobDocument> = {}): Promise<void> {
  const job: BackupJobDocument = {
    ...{ _id: `bkp_${id.padStart(26, '0')}`, ...of, name: id, schedule: { cron: '0 2 * * *', time_zone: 'UTC' } },
    ...{ grace_seconds: 600, max_run_seconds: 600, min_size_bytes: null, max_shrink_percent: null },
    ...{ expect_sha256: false, tags: [], enabled: true, expected_at_ms: null, due_at_ms: null, running: null },
    ...{ problem: null, last_run: null, last_good: null, token_hash: id, token_end: 'x', changes: 0 },
    ...{ created_by: 'x', created_at_ms: FROM - DAY_MS, updated_at_ms: 0, version: 1 },
    ...over,
  };
  await app.mongo.db.collection<BackupJobDocument>('backup_jobs').insertOne(job);
}

let runs = 0;
async function addRun(job: string, atMs: number, over: Partial<RunDocument> = {}): Promise<void> {
  runs += 1;
  const run: RunDocument = {
    ...{ _id: `bkr_${String(runs).padStart(26, '0')}`, ...of, job_id: `bkp_${job.padStart(26, '0')}` },
    ...{ status: 'succeeded', problem: null, expected_at_ms: null, started_at_ms: null, ended_at_ms: atMs },
    ...{ exit_code: null, size_bytes: null, sha256: null, log: 'secret', at_ms: atMs },
    expires_at: new Date(TO + 400 * DAY_MS),
    ...over,
  };
  await app.mongo.db.collection<RunDocument>('backup_runs').insertOne(run);
}

t.test('without jobs, the section says how to get data, and is left out if it has none', async (t) => {
  const report = await app.made({ period });
  const said = figuresBySection(await app.content(report.id));
  t.match(said[TITLE]?.texts, [/^There is no backup data yet\. Create a backup job/]);
  const short = await app.made({ period, sections: { backup_verification: 'if_data' } });
  t.notOk(TITLE in figuresBySection(await app.content(short.id)));
});

t.test('runs, success rate, longest gap and size, in the report, its CSV and the recomputation', async (t) => {
  await addJob('daily');
  for (let day = 0; day < 30; day++) {
    if (day === 10) await addRun('daily', FROM + day * DAY_MS + 2 * HOUR_MS, { status: 'missed', problem: 'missed' });
    else await addRun('daily', FROM + day * DAY_MS + 2 * HOUR_MS, { size_bytes: 734_003_200 + day });
  }
  // Not of the period, not known, and not over: none of them counts.
  await addRun('daily', FROM - HOUR_MS, { status: 'failed', problem: 'failed' });
  await addRun('daily', TO, { status: 'failed', problem: 'failed' });
  await addRun('daily', FROM + DAY_MS, { status: 'unknown' });
  await addRun('daily', FROM + DAY_MS, { status: 'running', ended_at_ms: null });
  await addJob('late', { created_at_ms: TO - 3 * DAY_MS, tags: ['client'] });
  await addRun('late', TO - 2 * DAY_MS, { status: 'failed', problem: 'failed' });
  await addRun('late', TO - DAY_MS);
  await addJob('silent');
  await addJob('later', { created_at_ms: TO + HOUR_MS });
  await addJob('=foreign', { workspace_id: 'ws_00000000000000000000000000' });

  const report = await app.made({ period });
  const sections = figuresBySection(await app.content(report.id));
  const said = sections[TITLE];
  const todo = [
    'Look into the backup late: 1 run failed or missed.',
    'Look into the backup daily: 1 run failed or missed.',
  ];
  t.same(sections['Executive Summary']?.list, todo);
  t.same(said?.texts, ['2 of 32 runs of 3 backup jobs failed or were missed.']);
  t.same(said?.cards, {
    'Good runs': ['93.75 %', '32 runs'],
    Failed: ['1', 'runs'],
    Missed: ['1', 'runs'],
    'Longest gap': ['30 d', 'without a good run of a job'],
  });
  t.same(said?.rows, [
    ['late (measured since 28 Jan 2031)', '2', '50.00 %', '2 d', 'no data', '30 Jan 2031, 00:00'],
    ['daily', '30', '96.66 %', '2 d', '734 MB', '30 Jan 2031, 02:00'],
    ['silent', '0', 'no data', '30 d', 'no data', 'none'],
  ]);
  const { bytes } = await app.download(report.id, {}, 'data.csv');
  t.notOk(bytes.includes('secret'), 'no log');
  const ran = recompute(bytes, '--json');
  t.match(ran, { status: 0, stderr: '' });
  const recomputed = JSON.parse(ran.stdout) as Record<string, SectionFigures>;
  const computed = recomputed[TITLE];
  t.same(recomputed['Executive Summary']?.list, todo);
  t.match(computed, { texts: said?.texts, cards: said?.cards, rows: said?.rows });

  const chosen = await app.made({ period, monitors: { tags: ['client'] } });
  t.match(chosen, { status: 'failed' }, 'no monitor has the tag');
  await app.addMonitor({ tags: ['client'], created_at_ms: FROM });
  const own = await app.made({ period, monitors: { tags: ['client'] } });
  const ofClient = figuresBySection(await app.content(own.id))[TITLE];
  t.same(
    ofClient?.rows?.map(([name]) => name),
    ['late (measured since 28 Jan 2031)'],
    'those of others are not named',
  );
});

t.test('of a job with very many runs, the newest count', async (t) => {
  await app.mongo.db.collection('backup_jobs').deleteMany({});
  await addJob('often');
  const atMs = (index: number) => FROM + (index + 1) * 20 * 60_000;
  for (let index = 0; index < 1_050; index++) await addRun('often', atMs(index));
  const report = await app.made({ period });
  const said = figuresBySection(await app.content(report.id))[TITLE];
  const lastMs = atMs(1_049);
  t.equal(new Date(lastMs).toISOString(), '2031-01-15T14:00:00.000Z');
  t.match(said?.rows, [
    ['often (measured since 1 Jan 2031)', '1,000', '100 %', '15 d 10 h', 'no data', '15 Jan 2031, 14:00'],
  ]);
});

t.test('runs that the plan no longer keeps make no gap', async (t) => {
  const { db } = app.mongo;
  await db.collection('backup_jobs').deleteMany({});
  await addJob('kept', { created_at_ms: NOW - 90 * DAY_MS });
  for (let day = 29; day >= 0; day--) await addRun('kept', NOW - day * DAY_MS - HOUR_MS);
  const read = (retentionPlan: PlanName) => {
    const standingOf = async () => ({ ...WORKING, retentionPlan });
    const backups = createReadBackups({ store: createBackupJobStore(db), runs: createBackupRunStore(db), standingOf });
    return backups(app.workspace.id, { fromMs: NOW - 60 * DAY_MS, toMs: NOW, nowMs: NOW }, 10);
  };
  t.match(await read('Free'), [{ sinceMs: NOW - 30 * DAY_MS, succeeded: 30, longestGapMs: DAY_MS }]);
  t.match(await read('Pro'), [{ sinceMs: NOW - 60 * DAY_MS, longestGapMs: 31 * DAY_MS - HOUR_MS }]);
});
