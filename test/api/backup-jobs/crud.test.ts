import t from 'tap';
import type { BackupJob, BackupJobWithUrl } from '../../../control-plane/backup-jobs/schema.js';
import { DAILY, PATH, startBackupApp } from '../../helpers/backup-jobs/app.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const backups = await startBackupApp();
const { app, mongo, created } = backups;
t.teardown(backups.stop);

t.test('create, read, list, change, delete: Location, ETag, audit entries', async (t) => {
  const answer = await app.request<BackupJobWithUrl>('POST', PATH, {
    body: { ...DAILY, schedule: { cron: '0 2 * * MON-FRI', time_zone: 'europe/berlin' }, tags: ['shop'] },
  });
  t.equal(answer.status, 201, answer.text);
  const { ping_url, ...job } = answer.body.data;
  t.match(job, {
    id: /^bkp_/,
    name: 'Nightly dump',
    schedule: { cron: '0 2 * * MON-FRI', time_zone: 'Europe/Berlin' },
    ...{ grace_seconds: 600, max_run_seconds: 43_200, min_size_bytes: null, max_shrink_percent: null },
    ...{ expect_sha256: false, tags: ['shop'], enabled: true, status: 'new', problem: null, last_run: null },
    // 31 January 2031 is a Friday, and Berlin is an hour ahead.
    expected_at: '2031-02-03T01:00:00.000Z',
  });
  t.match(ping_url, /^http:\/\/picket\.test\/ping\/[A-Za-z0-9_-]{32}$/);
  t.equal(job.ping_url_end, ping_url.slice(-4));
  t.equal(answer.headers.get('location'), `${PATH}/${job.id}`);
  t.equal(answer.headers.get('etag'), '"1"');
  const read = await app.request<BackupJob>('GET', `${PATH}/${job.id}`);
  t.same(read.body.data, job, 'without the URL');
  const second = await created({ name: 'Second' });
  const names = async (query: string) =>
    (await app.request<BackupJob[]>('GET', `${PATH}?${query}`)).body.data.map(({ name }) => name);
  t.same(await names(''), ['Second', 'Nightly dump'], 'newest first');
  t.same(await names('tag=shop'), ['Nightly dump']);
  t.same(await names('q=SECO'), ['Second']);
  t.same(await names('limit=1'), ['Second']);

  const stale = { headers: { 'if-match': '"9"' } };
  t.equal((await app.request('PATCH', `${PATH}/${job.id}`, { body: { name: 'x' }, ...stale })).status, 412);
  const changed = await app.request<BackupJob>('PATCH', `${PATH}/${job.id}`, {
    body: { min_size_bytes: 10, schedule: { cron: '30 3 * * *', time_zone: 'UTC' } },
  });
  t.match(changed.body.data, { min_size_bytes: 10, expected_at: '2031-02-01T03:30:00.000Z', name: 'Nightly dump' });
  t.equal(changed.headers.get('etag'), '"2"');
  const same = await app.request('PATCH', `${PATH}/${job.id}`, { body: { min_size_bytes: 10 } });
  t.equal(same.headers.get('etag'), '"2"', 'an update without changes writes nothing');
  t.equal((await app.request('DELETE', `${PATH}/${job.id}`, stale)).status, 412);
  t.equal((await app.request('DELETE', `${PATH}/${job.id}`)).status, 204);
  t.equal((await app.request('GET', `${PATH}/${job.id}`)).status, 404);
  t.equal((await app.request('DELETE', `${PATH}/${second.id}`)).status, 204);
  t.same(
    await backups.actions(),
    ['created', 'created', 'updated', 'deleted', 'deleted'].map((verb) => `backup_job.${verb}`),
  );
});

t.test('the ping URL is shown once, and nothing that is stored has its token', async (t) => {
  const job = await created();
  const token = new URL(job.ping_url).pathname.slice('/ping/'.length);
  const stored = JSON.stringify([
    await mongo.db.collection('backup_jobs').find().toArray(),
    await mongo.db.collection('audit_log').find().toArray(),
  ]);
  t.notOk(stored.includes(token));
  const renewed = await app.request<BackupJobWithUrl>('POST', `${PATH}/${job.id}/ping-url`);
  t.equal(renewed.status, 200, renewed.text);
  t.not(renewed.body.data.ping_url, job.ping_url);
  t.equal((await backups.ping(job)).status, 404, 'the one before ends at once');
  t.equal((await backups.ping(renewed.body.data)).text, 'OK');
  t.equal((await backups.actions()).at(-1), 'backup_job.url_renewed');
});

t.test('another workspace sees and changes nothing of it', async (t) => {
  const job = await created();
  await backups.ping(job);
  const { key } = await buildKey(mongo, await buildWorkspace(mongo, {}));
  t.same((await app.request('GET', PATH, { key })).body.data, []);
  for (const [method, path, body] of [
    ['GET', '', undefined],
    ['GET', '/runs', undefined],
    ['PATCH', '', { name: 'mine' }],
    ['POST', '/ping-url', {}],
    ['DELETE', '', undefined],
  ] as const) {
    const answer = await app.request(method, `${PATH}/${job.id}${path}`, { key, body });
    t.equal(answer.status, 404, `${method} ${path}`);
  }
  const rule = { name: 'Theirs', type: 'backup_missed', backup_job_ids: [job.id] };
  const named = await app.request('POST', '/v1/alert-rules', { key, body: rule });
  t.match(named, { status: 422, body: { errors: [{ path: '/backup_job_ids/0' }] } });
});

t.test('each route needs its scope', async (t) => {
  const job = await created();
  const read = await buildKey(mongo, app.workspace, { scopes: ['backups:read'] });
  const write = await buildKey(mongo, app.workspace, { scopes: ['backups:write'] });
  const path = `${PATH}/${job.id}`;
  const status = async (key: string, method: string, to: string, body?: object) =>
    (await app.request(method, to, { key, body })).status;
  for (const to of [PATH, path, `${path}/runs`]) {
    t.equal(await status(read.key, 'GET', to), 200, to);
    t.equal(await status(write.key, 'GET', to), 403, to);
  }
  t.equal(await status(read.key, 'POST', PATH, DAILY), 403);
  t.equal(await status(read.key, 'POST', `${path}/ping-url`), 403);
  t.equal(await status(read.key, 'PATCH', path, { name: 'x' }), 403);
  t.equal(await status(read.key, 'DELETE', path), 403);
  t.equal(await status(write.key, 'POST', PATH, DAILY), 201);
  t.equal(await status(write.key, 'PATCH', path, { name: 'x' }), 200);
  t.equal(await status(write.key, 'DELETE', path), 204);
});

t.test('what is wrong is refused with its field', async (t) => {
  const schedule = (cron: string, time_zone = 'UTC') => ({ schedule: { cron, time_zone } });
  for (const [fields, path] of [
    [{ name: '' }, '/name'],
    [{ name: 'a\u0007' }, '/name'],
    [{ name: 'n'.repeat(201) }, '/name'],
    [schedule('0 0 2 * * *'), '/schedule/cron'],
    [schedule('60 0 * * *'), '/schedule/cron'],
    [schedule('0 0 31 2 *'), '/schedule/cron'],
    [schedule('0 0 L * *'), '/schedule/cron'],
    [schedule('0 0 * * MON#1'), '/schedule/cron'],
    [schedule('every night'), '/schedule/cron'],
    [schedule(`0 2 * * ${'1,'.repeat(60)}1`), '/schedule/cron'],
    [schedule('0 2 * * *', 'Europe/Nowhere'), '/schedule/time_zone'],
    [schedule('0 2 * * *', '+02:00'), '/schedule/time_zone'],
    [{ schedule: '0 2 * * *' }, '/schedule'],
    [{ grace_seconds: 59 }, '/grace_seconds'],
    [{ grace_seconds: 30 * 86_400 + 1 }, '/grace_seconds'],
    [{ max_run_seconds: 0 }, '/max_run_seconds'],
    [{ min_size_bytes: -1 }, '/min_size_bytes'],
    [{ min_size_bytes: 1.5 }, '/min_size_bytes'],
    [{ max_shrink_percent: 100 }, '/max_shrink_percent'],
    [{ tags: ['a', 'a'] }, '/tags'],
    [{ tags: Array.from({ length: 21 }, (_, index) => `${index}`) }, '/tags'],
    [{ token_hash: 'x' }, '/token_hash'],
  ] as const) {
    const answer = await app.request('POST', PATH, { body: { ...DAILY, ...fields } });
    t.match(answer, { status: 422, body: { errors: [{ path }] } }, JSON.stringify(fields).slice(0, 100));
  }
});

t.test('the plan limits how many there are, also of requests at the same time', async (t) => {
  const free = await startBackupApp({ plan: 'Free' });
  t.teardown(free.stop);
  const answers = await Promise.all(Array.from({ length: 6 }, () => free.app.request('POST', PATH, { body: DAILY })));
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 201, 402, 402, 402]);
  const refused = answers.find(({ status }) => status === 402);
  t.match(refused?.body, { code: 'plan_limit', detail: /3 backup jobs\. The Pro plan allows 50/ });
});

t.test('a rule that names a job refuses its deletion, and lets it go with detach', async (t) => {
  const job = await created();
  const body = { name: 'One', type: 'backup_missed', backup_job_ids: [job.id] };
  const rule = await app.request('POST', '/v1/alert-rules', { body });
  t.equal(rule.status, 201, rule.text);
  const refused = await app.request('DELETE', `${PATH}/${job.id}`);
  t.match(refused, { status: 409, body: { used_by: { total: 1, items: [{ type: 'alert_rule', name: 'One' }] } } });
  const detached = await app.request('DELETE', `${PATH}/${job.id}?detach=true`);
  t.match(detached, { status: 200, body: { data: { detached: { total: 1 }, notify_nobody: { total: 1 } } } });
});

t.test('a preview names the next beginnings as a job has them, and stores nothing', async (t) => {
  const preview = (cron: string, time_zone: string) =>
    app.request<{ beginnings: string[] }>('POST', `${PATH}/preview`, { body: { schedule: { cron, time_zone } } });
  const before = (await app.request<BackupJob[]>('GET', PATH)).body.data.length;
  // Friday the 13th or any Friday: either kind of day is enough, as in cron.
  const either = await preview('0 2 13 * FRI', 'Europe/Berlin');
  t.equal(either.status, 200, either.text);
  t.same(either.body.data.beginnings, [
    ...['2031-02-07T01:00:00.000Z', '2031-02-13T01:00:00.000Z', '2031-02-14T01:00:00.000Z'],
    ...['2031-02-21T01:00:00.000Z', '2031-02-28T01:00:00.000Z'],
  ]);
  t.match((await preview('0 25 * * *', 'UTC')).body, { errors: [{ path: '/schedule/cron' }] });
  t.match((await preview('0 2 30 2 *', 'UTC')).body, { errors: [{ path: '/schedule/cron' }] });
  t.match((await preview('0 2 * * *', 'Mars/Base')).body, { errors: [{ path: '/schedule/time_zone' }] });
  t.equal((await app.request<BackupJob[]>('GET', PATH)).body.data.length, before);
});
