import { once } from 'node:events';
import { request } from 'node:http';
import t from 'tap';
import { HOUR_MS, MINUTE_MS, PATH, startBackupApp } from '../../helpers/backup-jobs/app.js';
import { waitFor } from '../../helpers/wait.js';

const backups = await startBackupApp();
const { created, ping, clock } = backups;
t.teardown(backups.stop);

const SHA256 = 'AB'.repeat(32);

t.test('start and end make one run, with its duration, size, checksum and log', async (t) => {
  const job = await created();
  t.same((await ping(job, '/start')).text, 'OK');
  t.match(await backups.find(job.id), { status: 'ok', running_since: '2031-01-31T12:00:00.000Z' });
  t.match(await backups.runs(job.id), [{ status: 'running', ended_at: null, duration_seconds: null }]);
  await clock.advance(5 * MINUTE_MS);
  const answer = await ping(job, `?size=734003200&sha256=${SHA256}`, { method: 'POST', body: 'dump: done\r\n' });
  t.match(answer, { status: 200, text: 'OK' });
  t.match(answer.headers.get('content-type'), 'text/plain');
  t.match(await backups.runs(job.id), [
    {
      ...{ id: /^bkr_/, status: 'succeeded', problem: null, duration_seconds: 300, exit_code: null },
      ...{ size_bytes: 734_003_200, sha256: SHA256.toLowerCase(), log: 'dump: done' },
    },
  ]);
  t.match(await backups.find(job.id), { running_since: null, last_run: { duration_seconds: 300 } });
});

t.test('every form of a ping', async (t) => {
  for (const [path, init, expected] of [
    ['', {}, { status: 'succeeded', exit_code: null }],
    ['', { method: 'HEAD' }, { status: 'succeeded' }],
    ['', { method: 'POST' }, { status: 'succeeded', log: null }],
    ['/0', {}, { status: 'succeeded', exit_code: 0 }],
    ['/3', {}, { status: 'failed', problem: 'failed', exit_code: 3 }],
    ['/255', {}, { status: 'failed', exit_code: 255 }],
    ['/fail', { method: 'POST', body: 'no space left' }, { status: 'failed', exit_code: null, log: 'no space left' }],
    ['/start', {}, { status: 'running' }],
    ['', { headers: { 'x-backup-size': '12', 'x-backup-sha256': SHA256 } }, { size_bytes: 12, sha256: /^(ab){32}$/ }],
    ['?size=0', {}, { size_bytes: 0, status: 'succeeded' }],
    ['', { method: 'POST', body: Buffer.from([0xff, 0x00, 0x41, 0x1b, 0x42]) }, { log: '\ufffdAB' }],
  ] as const) {
    const job = await created();
    const answer = await ping(job, path, init as RequestInit);
    t.equal(answer.status, 200, path);
    t.match(await backups.runs(job.id), [expected], `${path} ${JSON.stringify(init)}`);
    await backups.app.request('DELETE', `${PATH}/${job.id}`);
  }
});

t.test('what is no ping is refused and records nothing', async (t) => {
  const job = await created();
  for (const path of ['/stop', '/256', '/-1', '/start/x', '/0x1', '/%2e%2e', 'x']) {
    t.equal((await ping(job, path)).status, 404, path);
  }
  for (const query of [
    '?size=abc',
    '?size=-1',
    '?size=1e9',
    `?size=${'9'.repeat(16)}`,
    '?sha256=abc',
    `?sha256=${'g'.repeat(64)}`,
  ]) {
    t.equal((await ping(job, query)).status, 422, query);
  }
  t.equal((await ping(job, '', { method: 'PUT' })).status, 405);
  t.equal((await ping({ ping_url: 'http://picket.test/ping/' })).status, 404);
  const unknown = await ping({ ping_url: `http://picket.test/ping/${'A'.repeat(32)}` });
  t.equal(unknown.status, 404);
  t.same(await backups.runs(job.id), []);
});

t.test('of a log of any length, the last 10 kB are kept, from a whole character on', async (t) => {
  const job = await created();
  const log = `${'ä'.repeat(700_000)}\nthe end\n`;
  t.equal((await ping(job, '/1', { method: 'POST', body: log })).status, 200);
  const [run] = await backups.runs(job.id);
  t.match(run?.log, /^ä+\nthe end$/);
  t.ok(Buffer.byteLength(run?.log ?? '') > 9_900 && Buffer.byteLength(run?.log ?? '') <= 10_000);

  const other = await created();
  await ping(other, '/1', {
    method: 'POST',
    body: Buffer.concat([Buffer.alloc(20_000, 0xff), Buffer.from('the end')]),
  });
  const [unreadable] = await backups.runs(other.id);
  t.match(unreadable?.log, /^\ufffd+the end$/);
  t.ok(Buffer.byteLength(unreadable?.log ?? '') <= 10_000, 'also where what replaces bytes is longer than they are');
});

t.test('a sender that goes away while it sends its log has still said how the run ended', async (t) => {
  const job = await created();
  const { port } = backups.app;
  const path = `${new URL(job.ping_url).pathname}/7`;
  const headers = { 'content-length': '1000', expect: '100-continue' };
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers });
  sent.on('error', () => {});
  sent.flushHeaders();
  // The answer comes only after the body, so what shows that the server has the request is that it asks for the body.
  await once(sent, 'continue');
  await new Promise<void>((resolve) => sent.write('half', () => resolve()));
  sent.destroy();
  await waitFor('the run', 10_000, async () => (await backups.runs(job.id)).length > 0, 20);
  t.match(await backups.runs(job.id), [{ status: 'failed', exit_code: 7 }]);
});

t.test('pings at the same time, and repeats of clients that got no answer, make one run', async (t) => {
  const job = await created();
  const starts = await Promise.all(Array.from({ length: 8 }, () => ping(job, '/start')));
  t.same([...new Set(starts.map(({ status }) => status))], [200]);
  const ends = await Promise.all(Array.from({ length: 8 }, () => ping(job, '/0?size=5')));
  t.same([...new Set(ends.map(({ status }) => status))], [200]);
  t.equal((await backups.runs(job.id)).length, 1);
  t.equal((await ping(job, '/1')).text, 'OK');
  t.equal((await backups.runs(job.id)).length, 2, 'another outcome is another run');
  await clock.advance(MINUTE_MS);
  await ping(job, '/1');
  t.equal((await backups.runs(job.id)).length, 3, 'a later one too');
});

t.test('a job may send 30 pings per minute, and wrong URLs lock no job out', async (t) => {
  const [job, other] = [await created(), await created()];
  const codes: number[] = [];
  for (let index = 0; index < 32; index++) codes.push((await ping(job, `/${index}`)).status);
  t.same(codes.slice(0, 30), Array(30).fill(200));
  t.same(codes.slice(30), [429, 429]);
  t.match((await ping(job)).headers.get('retry-after'), /^\d+$/);
  const wrong: number[] = [];
  for (let index = 0; index < 40; index++) {
    wrong.push((await ping({ ping_url: `http://picket.test/ping/${String(index).padStart(32, 'x')}` })).status);
  }
  t.ok(wrong.includes(404) && wrong.at(-1) === 429);
  t.equal((await ping(other)).status, 200);
  await clock.advance(MINUTE_MS);
  t.equal((await ping(job)).status, 200);
});

t.test('of a job, the newest 1,000 runs are kept', async (t) => {
  const job = await created();
  await ping(job);
  await backups.addRuns(job.id, 1_005);
  const jobs = backups.mongo.db.collection<{ _id: string }>('backup_jobs');
  await jobs.updateOne({ _id: job.id }, { $set: { changes: 99 } });
  for (const path of ['/1', '/2']) await ping(job, path);
  await waitFor('the deletion', 60_000, async () => (await backups.countRuns(job.id)) === 1_000);
  t.match(await backups.runs(job.id), [{ exit_code: 2 }, { exit_code: 1 }], 'the newest stay');
});

t.test('a disabled job and a stopped workspace record nothing', async (t) => {
  const job = await created({ enabled: false });
  t.equal((await ping(job)).text, 'OK');
  t.same(await backups.runs(job.id), []);
  t.match(await backups.find(job.id), { status: 'disabled', expected_at: null });
  const other = await created();
  backups.stopped.add(backups.app.workspace.id);
  t.equal((await ping(other)).status, 404);
  backups.stopped.clear();
  t.same(await backups.runs(other.id), []);
});

t.test('a ping up to a minute early confirms a beginning, and a run by hand before does not', async (t) => {
  const job = await created({ schedule: { cron: '0 2 * * *', time_zone: 'UTC' } });
  const at = (text: string) => clock.advance(Date.parse(text) - clock.now());
  await at('2031-01-31T18:00:00Z');
  await ping(job);
  t.equal((await backups.find(job.id)).expected_at, '2031-02-01T02:00:00.000Z');
  await at('2031-02-01T01:59:10Z');
  await ping(job);
  t.equal((await backups.find(job.id)).expected_at, '2031-02-02T02:00:00.000Z');
  await at('2031-02-02T02:00:01Z');
  await ping(job, '/start');
  t.equal((await backups.find(job.id)).expected_at, '2031-02-03T02:00:00.000Z');
  await clock.advance(24 * HOUR_MS - 30_000);
  await ping(job);
  t.equal((await backups.find(job.id)).expected_at, '2031-02-03T02:00:00.000Z', 'an end confirms no second beginning');
});

t.test('of two equal pings within a minute, one after the next beginning is a run', async (t) => {
  const job = await created({ schedule: { cron: '* * * * *', time_zone: 'UTC' }, grace_seconds: 60 });
  const nextMinute = Math.ceil(clock.now() / MINUTE_MS) * MINUTE_MS + 2 * MINUTE_MS;
  await clock.advance(nextMinute + 1_200 - clock.now());
  await ping(job);
  await ping(job);
  t.equal((await backups.runs(job.id)).length, 1, 'a repeat');
  await clock.advance(59_700);
  await ping(job);
  t.equal((await backups.runs(job.id)).length, 2);
  t.equal((await backups.find(job.id)).expected_at, new Date(nextMinute + 2 * MINUTE_MS).toISOString());
});
