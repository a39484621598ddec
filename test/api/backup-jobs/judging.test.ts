import t, { type Test } from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import { DAILY, HOUR_MS, MINUTE_MS, PATH, startBackupApp } from '../../helpers/backup-jobs/app.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 24 * HOUR_MS;
/** The begin of the first night after the clock's start, at 02:00 UTC. */
const FIRST = Date.UTC(2031, 1, 1, 2);

async function setUp(t: Test) {
  const backups = await startBackupApp();
  t.teardown(backups.stop);
  const config = { to: ['ann@example.com'] };
  await backups.notifying.channel(backups.app.workspace.id, { type: 'email', name: 'One', config });
  /** Moves the clock near a time without a gap in which nothing listens. */
  const near = async (atMs: number) => {
    await backups.clock.advance(atMs - backups.clock.now() - 3 * MINUTE_MS);
    await backups.judge();
    await backups.listenUntil(atMs);
  };
  const statuses = async (id: string) => (await backups.runs(id)).map(({ status }) => status);
  const find = async (id: string) => (await backups.app.request<IncidentDetail>('GET', `/v1/alerts/${id}`)).body.data;
  return { ...backups, near, statuses, alert: find };
}

t.test('a missed backup opens one incident that explains itself, and a late ping resolves it', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  await backups.ping(job, '?size=734003200');
  await backups.near(FIRST);
  await backups.listenUntil(FIRST + 9 * MINUTE_MS);
  t.same(await backups.incidents(), [], 'not within the grace period');
  await backups.listenUntil(FIRST + 11 * MINUTE_MS);
  const [incident] = await backups.incidents();
  t.match(incident, {
    ...{ kind: 'backup', status: 'firing', severity: 'critical', monitor_id: null },
    resource: { type: 'backup_job', id: job.id, name: 'Nightly dump' },
    message:
      'Nightly dump was expected at 2031-02-01 02:00:00 UTC and sent no ping by 2031-02-01 02:10:00 UTC: its schedule is 0 2 * * * in UTC, with 10 min of grace. Last good run: 2031-01-31 12:00:00 UTC, 734 MB.',
  });
  t.same(await backups.outbox(), ['opened']);
  t.match(await backups.find(job.id), { status: 'failing', problem: { type: 'missed' } });
  t.same(await backups.statuses(job.id), ['missed', 'succeeded']);
  const alert = await backups.alert(incident?._id ?? '');
  t.match(alert.decision, {
    problem: 'missed',
    run: { status: 'missed', expected_at: '2031-02-01T02:00:00.000Z' },
    last_good_at: '2031-01-31T12:00:00.000Z',
  });

  await backups.listenUntil(FIRST + 20 * MINUTE_MS);
  await backups.sweep();
  t.same(await backups.statuses(job.id), ['missed', 'succeeded'], 'once');
  await backups.ping(job, '?size=734003200');
  t.match(await backups.incidents(), [
    {
      ...{ status: 'resolved', resolution: 'recovered' },
      recovery: { run: { status: 'succeeded' }, last_good_at_ms: FIRST + 20 * MINUTE_MS },
    },
  ]);
  t.same(await backups.outbox(), ['opened', 'resolved']);
  t.match(await backups.find(job.id), { status: 'ok', problem: null, expected_at: '2031-02-02T02:00:00.000Z' });
});

t.test('a backup is missed once, through a restart and with two control planes', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  await backups.near(FIRST);
  const second = backups.restart();
  await backups.listenUntil(FIRST + 10 * MINUTE_MS - 10_000);
  await backups.clock.advance(20_000);
  await Promise.all([backups.judge(), backups.judge(second)]);
  await backups.clock.advance(20_000);
  await Promise.all([backups.judge(second), backups.judge()]);
  t.same(await backups.statuses(job.id), ['missed']);
  t.equal((await backups.incidents()).length, 1);
  await backups.near(FIRST + DAY_MS);
  await backups.listenUntil(FIRST + DAY_MS + 11 * MINUTE_MS);
  t.same(await backups.statuses(job.id), ['missed', 'missed'], 'the next night');
  t.equal((await backups.incidents()).length, 1, 'the same incident');
});

t.test('what Picket could not receive is unknown, and pages nobody', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  await backups.near(FIRST - 2 * MINUTE_MS);
  // No control plane from two minutes before the beginning until long after.
  await backups.clock.advance(3 * HOUR_MS);
  await backups.kill();
  const second = backups.restart();
  await backups.judge(second);
  t.same(await backups.statuses(job.id), [], 'it waits until it has listened for a minute');
  for (let index = 0; index < 4; index++) {
    await backups.clock.advance(MINUTE_MS / 2);
    await backups.judge(second);
  }
  t.same(await backups.statuses(job.id), ['unknown']);
  t.same(await backups.incidents(), []);
  t.match(await backups.find(job.id), { status: 'ok', expected_at: '2031-02-02T02:00:00.000Z' });
});

t.test(
  'a control plane that was down before the beginning, or for less than half a minute, misses nothing',
  async (t) => {
    const backups = await setUp(t);
    const job = await backups.created();
    await backups.near(FIRST + 2 * MINUTE_MS);
    await backups.clock.advance(30_000);
    await backups.judge();
    await backups.listenUntil(FIRST + 11 * MINUTE_MS);
    t.same(await backups.statuses(job.id), ['missed']);
  },
);

t.test('a run that does not end, and one that the next start replaces', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created({ max_run_seconds: 1_800 });
  await backups.near(FIRST);
  await backups.ping(job, '/start');
  await backups.listenUntil(FIRST + 29 * MINUTE_MS);
  t.same(await backups.incidents(), [], 'a run that began in time is not missed');
  await backups.listenUntil(FIRST + 31 * MINUTE_MS);
  t.match(await backups.incidents(), [
    { message: 'Nightly dump began at 2031-02-01 02:00:00 UTC and did not end within 30 min. No run was good before.' },
  ]);
  t.match(await backups.runs(job.id), [{ status: 'failed', problem: 'not_ended' }]);
  await backups.ping(job);
  t.match(await backups.incidents(), [{ status: 'resolved' }]);

  await backups.listenUntil(FIRST + 33 * MINUTE_MS);
  await backups.ping(job, '/start');
  await backups.listenUntil(FIRST + 38 * MINUTE_MS);
  await backups.ping(job, '/start');
  t.match((await backups.incidents())[1]?.message, /did not end before the next run began/);
  t.same(await backups.statuses(job.id), ['running', 'failed', 'succeeded', 'failed']);
});

t.test('failed, too small, shrunken, without size and without checksum', async (t) => {
  const backups = await setUp(t);
  const { clock } = backups;
  const job = await backups.created({ min_size_bytes: 1_000, max_shrink_percent: 50 });
  const after = async (path: string, init: RequestInit = {}) => {
    await clock.advance(2 * MINUTE_MS);
    await backups.ping(job, path, init);
    const { problem, status } = await backups.find(job.id);
    return problem?.type ?? status;
  };
  t.equal(await after('?size=2000000'), 'ok');
  t.equal(await after('/3?size=2000000', { method: 'POST', body: 'no space\nleft “here”' }), 'failed');
  const [failed] = await backups.incidents();
  t.match(
    failed?.message,
    /^Nightly dump reported a failure with exit code 3 at .* Last good run: .*, 2\.0 MB\. Its log ends: “no space left "here"”\.$/,
  );
  t.equal(await after('?size=999'), 'too_small');
  t.equal(await after('?size=999999'), 'shrunken');
  t.equal(await after(''), 'size_missing');
  t.equal((await backups.incidents()).length, 1, 'a job has one incident at a time');
  t.equal(await after('?size=1000000'), 'ok', 'exactly half is allowed');
  t.equal(await after('?size=400000'), 'shrunken');
  t.match((await backups.incidents())[1], {
    message:
      /^The backup of Nightly dump is 60 % smaller than the last good one: 400 kB instead of 1\.0 MB, and at most 50 % is allowed\./,
  });
  t.equal(await after('?size=400000'), 'shrunken', 'the same small size again is no better');
  await backups.app.request('PATCH', `${PATH}/${job.id}`, { body: { max_shrink_percent: 60 } });
  t.equal(await after('?size=400000'), 'ok', 'a change of the limit accepts the next size');
  await backups.app.request('PATCH', `${PATH}/${job.id}`, { body: { expect_sha256: true } });
  t.equal(await after('?size=400000'), 'checksum_missing');
  t.equal(await after(`?size=400000&sha256=${'a'.repeat(64)}`), 'ok');
  t.same([...new Set((await backups.incidents()).map(({ status }) => status))], ['resolved']);
});

t.test('rules: a later one opens the incident, disabling the job or deleting it resolves it', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  const [rule] = (await backups.app.request<{ id: string }[]>('GET', '/v1/alert-rules')).body.data;
  t.match(rule, { name: 'Backup missed or failed', type: 'backup_missed', severity: 'critical' });
  await backups.app.request('DELETE', `/v1/alert-rules/${rule?.id}`);
  await backups.ping(job, '/1');
  t.same(await backups.incidents(), [], 'without a rule');
  const own = { name: 'Own', type: 'backup_missed', severity: 'warning', backup_job_ids: [job.id] };
  await backups.app.request('POST', '/v1/alert-rules', { body: own });
  await backups.sweep();
  t.match(await backups.incidents(), [{ severity: 'warning', status: 'firing' }]);
  await backups.app.request('PATCH', `${PATH}/${job.id}`, { body: { enabled: false } });
  t.match(await backups.incidents(), [
    {
      status: 'resolved',
      resolution: 'disabled',
      events: [{}, { message: /^Resolved because the backup job Nightly dump was disabled by / }],
    },
  ]);
  await backups.app.request('PATCH', `${PATH}/${job.id}`, { body: { enabled: true } });
  await backups.clock.advance(2 * MINUTE_MS);
  await backups.ping(job, '/2');
  await backups.app.request('DELETE', `${PATH}/${job.id}?detach=true`);
  t.match((await backups.incidents())[1], { status: 'resolved', resolution: 'deleted' });
  t.same(await backups.storedRuns(), []);
});

const HOURLY = { schedule: { cron: '0 2-6 * * *', time_zone: 'UTC' } };

t.test('a run whose end may have been lost, and that the next start replaces, is unknown', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created(HOURLY);
  await backups.near(FIRST);
  await backups.ping(job, '/start');
  await backups.listenUntil(FIRST + 3 * MINUTE_MS);
  await backups.clock.advance(7 * MINUTE_MS);
  await backups.listenUntil(FIRST + HOUR_MS);
  await backups.ping(job, '/start');
  t.same((await backups.statuses(job.id)).slice(0, 2), ['running', 'unknown']);
  t.same(await backups.incidents(), []);
  t.match(await backups.find(job.id), { status: 'ok', expected_at: '2031-02-01T04:00:00.000Z' });

  await backups.listenUntil(FIRST + HOUR_MS + 5 * MINUTE_MS);
  await backups.ping(job, '/1');
  await backups.listenUntil(FIRST + 2 * HOUR_MS);
  await backups.ping(job, '/start');
  // Nothing has recorded yet that no control plane was there.
  await backups.clock.advance(HOUR_MS);
  await backups.ping(job, '/start');
  t.same((await backups.statuses(job.id)).slice(0, 3), ['running', 'unknown', 'failed']);
  t.match(await backups.find(job.id), { status: 'failing', problem: { type: 'failed' } }, 'it is no good run either');
});

t.test('work that takes long is no time in which nothing listens', async (t) => {
  const backups = await setUp(t);
  for (let index = 0; index < 4; index++) await backups.created();
  await backups.near(FIRST + 10 * MINUTE_MS - 10_000);
  backups.slow.ms = 12_000;
  await backups.clock.advance(10_000);
  await backups.judge();
  await backups.judge();
  t.same(
    (await backups.storedRuns()).map(({ status }) => status),
    Array(4).fill('missed'),
  );
  const [listening] = await backups.mongo.db.collection('backup_listening').find().toArray();
  t.same(listening?.['gaps'], []);
});

t.test('runs of a job that never sends a ping are deleted too', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created(HOURLY);
  await backups.near(FIRST);
  await backups.listenUntil(FIRST + 11 * MINUTE_MS);
  await backups.addRuns(job.id, 1_005);
  const jobs = backups.mongo.db.collection<{ _id: string }>('backup_jobs');
  await jobs.updateOne({ _id: job.id }, { $set: { changes: 100 } });
  await backups.listenUntil(FIRST + HOUR_MS + 11 * MINUTE_MS);
  await waitFor('the deletion', 60_000, async () => (await backups.countRuns(job.id)) === 1_000);
});

t.test('a run during which the workspace was suspended is unknown, one after it is missed', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  const started = await backups.created({ name: 'Started' });
  await backups.near(FIRST + MINUTE_MS);
  await backups.ping(started, '/start');
  await backups.suspend();
  await backups.listenUntil(FIRST + 5 * MINUTE_MS);
  t.equal((await backups.ping(job)).status, 404);
  await backups.listenUntil(FIRST + 8 * MINUTE_MS);
  await backups.resume();
  await backups.listenUntil(FIRST + 11 * MINUTE_MS);
  t.same(await backups.statuses(job.id), ['unknown']);
  await backups.ping(started, '/start');
  t.same(await backups.statuses(started.id), ['running', 'unknown']);
  await backups.ping(started);
  t.same(await backups.incidents(), []);
  await backups.near(FIRST + DAY_MS);
  await backups.listenUntil(FIRST + DAY_MS + 11 * MINUTE_MS);
  t.same(await backups.statuses(job.id), ['missed', 'unknown']);
});

t.test('a stopped workspace expects nothing', async (t) => {
  const backups = await setUp(t);
  const job = await backups.created();
  backups.stopped.add(backups.app.workspace.id);
  await backups.near(FIRST);
  await backups.listenUntil(FIRST + 11 * MINUTE_MS);
  t.same(await backups.incidents(), []);
  t.same(await backups.statuses(job.id), ['unknown']);
});

t.test('a schedule in a time zone follows its clock over a change of summer time', async (t) => {
  const backups = await startBackupApp({ nowMs: Date.UTC(2031, 2, 29, 12) });
  t.teardown(backups.stop);
  const berlin = (cron: string) => ({ ...DAILY, schedule: { cron, time_zone: 'Europe/Berlin' } });
  const job = await backups.created(berlin('30 2 * * *'));
  // On 30 March 2031 clocks go from 02:00 to 03:00: 02:30 is 03:30, which is 01:30 UTC.
  t.equal(job.expected_at, '2031-03-30T01:30:00.000Z');
  await backups.clock.advance(Date.UTC(2031, 2, 30, 1, 30) - backups.clock.now());
  await backups.ping(job);
  t.equal((await backups.find(job.id)).expected_at, '2031-03-31T00:30:00.000Z');
});

t.test('a run whose beginning clocks skip may come as soon as they are set forward', async (t) => {
  const backups = await startBackupApp({ nowMs: Date.UTC(2031, 2, 29, 12) });
  t.teardown(backups.stop);
  const berlin = (cron: string) => ({ ...DAILY, schedule: { cron, time_zone: 'Europe/Berlin' } });
  const [skipped, other] = [await backups.created(berlin('30 2 * * *')), await backups.created(berlin('30 3 * * *'))];
  t.equal(other.expected_at, '2031-03-30T01:30:00.000Z');
  await backups.clock.advance(Date.UTC(2031, 2, 30, 1, 0, 20) - backups.clock.now());
  await backups.ping(skipped);
  await backups.ping(other);
  t.equal((await backups.find(skipped.id)).expected_at, '2031-03-31T00:30:00.000Z');
  t.equal((await backups.find(other.id)).expected_at, '2031-03-30T01:30:00.000Z', 'a beginning that no clock skipped');
});
