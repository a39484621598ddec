import { createHash } from 'node:crypto';
import t from 'tap';
import { NOW, PATH, startReportsApp } from '../../helpers/client-reports/app.js';
import { faultsOf, infoOf } from '../../helpers/client-reports/pdf.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';

const app = await startReportsApp();
t.teardown(() => app.stop());
const audited = (action: string) =>
  app.mongo.db.collection('audit_log').countDocuments({ action, workspace_id: app.workspace.id });
const UNKNOWN = `rpt_${'0'.repeat(26)}`;

t.test('a report is accepted at once, generated in the background, downloaded and deleted', async (t) => {
  const created = await app.create();
  t.match(created, {
    status: 202,
    body: {
      data: {
        id: /^rpt_/,
        ...{ title: 'January', client_name: 'Example Ltd', time_zone: 'UTC', branding: { color: '#1f4e79' } },
        period: { from: '2031-01-01T12:00:00.000Z', to: new Date(NOW).toISOString() },
        sections: { executive_summary: true, security_scans: true },
        ...{ status: 'generating', error: null, pages: null, size_bytes: null, sha256: null, completed_at: null },
      },
    },
  });
  const { id } = created.body.data;
  await app.generate();
  const report = await app.find(id);
  t.match(report, { status: 'completed', error: null, completed_at: /Z$/ });
  const { status, headers, bytes } = await app.download(id);
  t.equal(status, 200);
  t.equal(headers.get('content-type'), 'application/pdf');
  t.equal(headers.get('content-length'), String(report.size_bytes));
  t.equal(headers.get('accept-ranges'), 'bytes');
  t.equal(
    headers.get('content-disposition'),
    `attachment; filename="Example Ltd - January.pdf"; filename*=UTF-8''Example%20Ltd%20-%20January.pdf`,
  );
  t.equal(createHash('sha256').update(bytes).digest('hex'), report.sha256, 'the file is the one that was made');
  t.equal(infoOf(bytes)['Pages'], String(report.pages));
  t.equal(faultsOf(bytes), '');
  t.not(faultsOf(bytes.subarray(0, bytes.length - 200)), '', 'a file that was cut off would be noticed');
  t.match((await app.request('GET', PATH)).body.data, [{ id }]);
  t.equal((await app.request('DELETE', `${PATH}/${id}`)).status, 204);
  t.equal((await app.request('GET', `${PATH}/${id}`)).status, 404);
  t.equal((await app.download(id)).status, 404);
  t.equal(await app.parts(id), 0, 'the file is gone too');
  t.same(
    [await audited('report.created'), await audited('report.downloaded'), await audited('report.deleted')],
    [1, 1, 1],
  );
});

t.test('a report that is being generated has no file yet, and one that failed never has one', async (t) => {
  const { body } = await app.create();
  const { id } = body.data;
  const early = await app.request('GET', `${PATH}/${id}/download`);
  t.match(early, { status: 409, body: { code: 'conflict' } });
  await app.mongo.db
    .collection<{ _id: string }>('client_reports')
    .updateOne({ _id: id }, { $set: { status: 'failed', error: 'It is too large.' }, $unset: { open: '' } });
  const failed = await app.request('GET', `${PATH}/${id}/download`);
  t.match(failed, { status: 410, body: { code: 'gone', detail: /too large/ } });
});

t.test('one that is deleted while it waits or is generated leaves nothing', async (t) => {
  const { body } = await app.create();
  const running = app.generate();
  t.equal((await app.request('DELETE', `${PATH}/${body.data.id}`)).status, 204);
  await running;
  await app.generate();
  t.equal(await app.parts(body.data.id), 0);
  t.equal((await app.request('GET', `${PATH}/${body.data.id}`)).status, 404);
});

t.test('ranges of bytes', async (t) => {
  const { id, size_bytes } = await app.made();
  const size = size_bytes ?? 0;
  const whole = (await app.download(id)).bytes;
  const cases: [string, number, number][] = [
    ['bytes=0-99', 0, 99],
    ['bytes=100-', 100, size - 1],
    ['bytes=-50', size - 50, size - 1],
    [`bytes=10-${size * 2}`, 10, size - 1],
  ];
  for (const [range, first, last] of cases) {
    const part = await app.download(id, { range });
    t.equal(part.status, 206, range);
    t.equal(part.headers.get('content-range'), `bytes ${first}-${last}/${size}`);
    t.ok(part.bytes.equals(whole.subarray(first, last + 1)), 'these bytes');
  }
  for (const range of ['bytes=0-1,5-6', 'lines=1-2', 'bytes=9-3', 'bytes=-'])
    t.equal((await app.download(id, { range })).status, 200, `${range} is ignored`);
  t.equal((await app.download(id, { range: 'bytes=0-1', 'if-range': '"other"' })).status, 200);
  const beyond = await app.download(id, { range: `bytes=${size}-` });
  t.equal(beyond.status, 416);
  t.equal(beyond.headers.get('content-range'), `bytes */${size}`);
});

t.test('a name of any script becomes a file name, and nothing that a path or a header would read', async (t) => {
  const { id } = await app.made({ title: '../../etc/"passwd"; x=\\', client_name: 'Škoda 中文 🚀' });
  const header = (await app.download(id)).headers.get('content-disposition') ?? '';
  t.equal(
    decodeURIComponent(/filename\*=UTF-8''(.*)$/.exec(header)?.[1] ?? ''),
    'Škoda 中文 🚀 - .. .. etc passwd ; x=.pdf',
  );
  t.match(header, /^attachment; filename="[\x20-\x21\x23-\x7e]+";/);
});

t.test('of another workspace, nothing is seen, downloaded or deleted', async (t) => {
  const { id } = await app.made();
  const other = await buildWorkspace(app.mongo);
  const { key } = await buildKey(app.mongo, other);
  for (const [method, path] of [
    ['GET', `${PATH}/${id}`],
    ['GET', `${PATH}/${id}/download`],
    ['DELETE', `${PATH}/${id}`],
    ['GET', `${PATH}/${UNKNOWN}`],
  ] as const) {
    t.match(await app.request(method, path, { key }), { status: 404, body: { detail: 'No such report.' } });
  }
  t.same((await app.request('GET', PATH, { key })).body.data, []);
  t.equal((await app.find(id)).status, 'completed');
});

t.test('reports:read creates and downloads, reports:write deletes; so viewers do not delete', async (t) => {
  const { id } = await app.made();
  const reader = await buildKey(app.mongo, app.workspace, { scopes: ['reports:read'] });
  const writer = await buildKey(app.mongo, app.workspace, { scopes: ['reports:write'] });
  t.equal((await app.create({}, reader.key)).status, 202);
  t.equal((await app.create({}, writer.key)).status, 403);
  t.equal((await app.request('DELETE', `${PATH}/${id}`, { key: reader.key })).status, 403);
  t.equal((await app.request('GET', `${PATH}/${id}`, { key: writer.key })).status, 403);
  t.equal((await app.request('DELETE', `${PATH}/${id}`, { key: writer.key })).status, 204);
  const viewer = await buildWorkspace(app.mongo, { role: 'viewer' });
  const { key } = await buildKey(app.mongo, viewer);
  t.equal((await app.request('GET', PATH, { key })).status, 200);
  const made = await app.create({}, key);
  t.equal(made.status, 202);
  t.equal((await app.request('DELETE', `${PATH}/${made.body.data.id}`, { key })).status, 403);
});

t.test('an outdated version is not deleted', async (t) => {
  const { body, headers } = await app.create();
  t.equal(headers.get('etag'), null);
  const path = `${PATH}/${body.data.id}`;
  const etag = (await app.request('GET', path)).headers.get('etag') ?? '';
  while ((await app.find(body.data.id)).status === 'generating') await app.generate();
  t.equal((await app.request('DELETE', path, { headers: { 'if-match': etag } })).status, 412);
  t.equal((await app.request('DELETE', path)).status, 204);
});
