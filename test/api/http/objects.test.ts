import { connect } from 'node:net';
import t, { type Test } from 'tap';
import { ERROR_STATUS, type ErrorCode } from '../../../control-plane/errors.js';
import { type Answer, startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { createGate } from '../../helpers/gate.js';
import { type ExampleRow, exampleRoutes } from '../../helpers/http/example-routes.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
let gate = createGate();
const app = await startApp({ mongo, routes: (parts) => exampleRoutes(parts, () => gate.pass()) });
const { request } = app;
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

function isProblem(t: Test, answer: Answer<unknown>, code: ErrorCode): void {
  t.equal(answer.status, ERROR_STATUS[code]);
  t.equal(answer.body.code, code);
}

t.test('ETag and If-Match', async (t) => {
  const { body } = await request<{ id: string }>('POST', '/v1/things', { body: { name: 'one' } });
  const path = `/v1/things/${body.data.id}`;
  const patch = (tag: string | null, name: string) =>
    request('PATCH', path, { body: { name }, headers: tag === null ? {} : { 'if-match': tag } });
  t.equal((await patch('"1"', 'two')).headers.get('etag'), '"2"');
  isProblem(t, await patch('"1"', 'three'), 'precondition_failed');
  isProblem(t, await patch('"abc"', 'three'), 'precondition_failed');
  isProblem(t, await patch('2', 'three'), 'invalid_request');
  t.equal((await patch('*', 'three')).status, 200);
  t.equal((await patch(null, 'four')).headers.get('etag'), '"4"');
  const remove = (tag: string) => request('DELETE', path, { headers: { 'if-match': tag } });
  isProblem(t, await remove('"3"'), 'precondition_failed');
  const removed = await remove('"4"');
  t.equal(removed.status, 204);
  t.equal(removed.text, '');
  isProblem(t, await remove('"4"'), 'not_found');
});

t.test('Idempotency-Key', async (t) => {
  const create = (key: string, name: string, path = '/v1/things', note?: string) =>
    request<{ id: string }>('POST', path, {
      body: { name, ...(note === undefined ? {} : { note }) },
      headers: { 'idempotency-key': key },
    });
  const count = (name: string) => mongo.db.collection('things').countDocuments({ name });
  const first = await create('k1', 'once');
  const again = await create('k1', ' once ', '/api/v1/things');
  t.equal(first.headers.get('idempotent-replayed'), null);
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.same(
    [again.status, again.text, again.headers.get('location'), again.headers.get('etag')],
    [201, first.text, first.headers.get('location'), '"1"'],
  );
  t.equal(await count('once'), 1);
  t.equal((await create('k2', 'once')).headers.get('idempotent-replayed'), null, 'another key is another request');
  isProblem(t, await create('k1', 'other'), 'idempotency_mismatch');
  t.equal(await count('other'), 0);
  const otherTenant = await buildKey(mongo, app.workspace);
  const foreign = await request('POST', '/v1/things', {
    key: otherTenant.key,
    body: { name: 'once' },
    headers: { 'idempotency-key': 'k1' },
  });
  t.equal(foreign.headers.get('idempotent-replayed'), null, 'callers have separate keys');

  let refused = 0;
  const racers = await Promise.all(
    [1, 2, 3, 4, 5].map(async () => {
      const answer = await create('k3', 'race', '/v1/things', 'slow');
      if (answer.status === 409) refused += 1;
      // The first of them is held up until all others were answered.
      if (refused === 4) gate.open();
      return answer;
    }),
  );
  t.same(racers.map((racer) => racer.status).sort(), [201, 409, 409, 409, 409]);
  t.equal(await count('race'), 1);
  for (const racer of racers.filter((racer) => racer.status === 409)) isProblem(t, racer, 'conflict');
  t.equal((await create('k3', 'race', '/v1/things', 'slow')).headers.get('idempotent-replayed'), 'true');

  gate = createGate();
  const body = JSON.stringify({ name: 'cut off', note: 'slow' });
  const hasty = connect(app.port, '127.0.0.1');
  hasty.write(
    `POST /v1/things HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${app.key}\r\nIdempotency-Key: k5\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
  );
  await gate.reached;
  hasty.destroy();
  gate.open();
  await waitFor('the change is made all the same', 5_000, async () => (await count('cut off')) === 1, 5);
  const repeat = await create('k5', 'cut off', '/v1/things', 'slow');
  t.equal(repeat.headers.get('idempotent-replayed'), 'true', 'a client that lost the response gets it now');
  t.equal(await count('cut off'), 1);

  isProblem(t, await create('k4', 'broken', '/v1/things', 'fail'), 'conflict');
  t.equal(await count('broken'), 0, 'a failed change leaves nothing');
  t.equal((await create('k4', 'broken')).status, 201, 'its key is free');

  const touched = await request('POST', `/v1/things/${first.body.data.id}/touch`, {
    headers: { 'idempotency-key': 'k1' },
  });
  t.equal(touched.status, 202, 'the same key on another path is another request');
  const stored = await mongo.db.collection('idempotency_keys').find().toArray();
  t.notMatch(JSON.stringify(stored), /once|race/, 'stored responses are encrypted');
  await mongo.db.collection('idempotency_keys').updateMany({}, { $set: { expires_at: new Date(Date.now() - 1) } });
  t.equal((await create('k1', 'much later')).status, 201, 'after 24 hours the key is free');
});

t.test('a change, its audit entry and its stored response are one transaction', async (t) => {
  const entries = () => mongo.db.collection('audit_log').countDocuments({ 'resource.name': 'atomic' });
  await request('POST', '/v1/things', { body: { name: 'atomic', note: 'fail' }, headers: { 'idempotency-key': 'a1' } });
  t.equal(await entries(), 0, 'a failing change leaves no entry');
  await request('POST', '/v1/things', {
    body: { name: 'atomic' },
    headers: { 'idempotency-key': 'a1', 'x-request-id': 'trace-me' },
  });
  t.equal(await entries(), 1);
  t.match(await mongo.db.collection('audit_log').findOne({ 'resource.name': 'atomic' }), {
    request_id: 'trace-me',
    actor: { id: app.workspace.userId, email: app.workspace.email, ip: '127.0.0.1' },
  });
});

t.test('a walk returns each row exactly once while rows are inserted and deleted', async (t) => {
  const workspace = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, workspace);
  const things = mongo.db.collection<ExampleRow>('things');
  for (const path of ['/v1/things', '/v1/things-by-time']) {
    await things.deleteMany({ workspace_id: workspace.id });
    // The clock goes back, and many rows have the same time, so the time alone does not sort them.
    const rows = Array.from({ length: 300 }, (_, index) => ({
      _id: app.parts.ids.next('mon'),
      workspace_id: workspace.id,
      name: `row ${index}`,
      at: 1_000 + (index % 7),
      version: 1,
    }));
    await things.insertMany(rows);
    const met = new Map<string, number>();
    const removed = new Set<string>();
    let cursor: string | null | undefined;
    do {
      const query = cursor === undefined ? 'limit=7' : `limit=7&cursor=${cursor}`;
      const page = await request<{ id: string }[]>('GET', `${path}?${query}`, { key });
      t.equal(page.status, 200);
      for (const row of page.body.data) met.set(row.id, (met.get(row.id) ?? 0) + 1);
      cursor = page.body.next_cursor;
      await things.insertOne({
        _id: app.parts.ids.next('mon'),
        workspace_id: workspace.id,
        name: 'new',
        at: 5_000,
        version: 1,
      });
      const gone = [rows[Math.floor(Math.random() * 300)]?._id ?? '', page.body.data.at(-1)?.id ?? ''];
      for (const id of gone) if (met.size % 3 === 0) removed.add(id);
      await things.deleteMany({ _id: { $in: [...removed] } });
    } while (cursor !== null);
    for (const row of rows) {
      const times = met.get(row._id) ?? 0;
      if (times !== 1 && !(times === 0 && removed.has(row._id))) t.fail(`${row._id} was met ${times} times`);
    }
    t.ok(removed.size > 5, 'rows were deleted during the walk');
    const first = await request<{ id: string }[]>('GET', `${path}?limit=7`, { key });
    const foreign = await request('GET', `/v1/things?limit=7&cursor=${first.body.next_cursor}`);
    isProblem(t, foreign, 'validation_failed');
    t.match(foreign.body.errors, [{ path: '/query/cursor' }], 'a cursor of another workspace');
    isProblem(t, await request('GET', `${path}?q=x&cursor=${first.body.next_cursor}`, { key }), 'validation_failed');
    t.equal(
      (await request('GET', `${path}?limit=9&cursor=${first.body.next_cursor}`, { key })).status,
      200,
      'another limit is accepted',
    );
  }
});
