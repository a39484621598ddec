import t from 'tap';
import type { Comment } from '../../../control-plane/incidents/comments/schema.js';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const MISSING = 'inc_01kf5e6q0h3v8r2m9x4t7c1z5n';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

t.test('a comment is stored with who wrote it and when, and recorded without its text', async (t) => {
  const { app, clock, incident } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const path = `/v1/alerts/${id}`;
  const before = await app.request('GET', path);
  const text = 'The provider restarts the load balancer.\n\tNext: 04:00 <b>';
  await clock.advance(5_000);
  const created = await app.request<Comment>('POST', `${path}/comments`, { body: { text: `  ${text}\n` } });
  t.equal(created.status, 201);
  const { email } = app.workspace;
  t.match(created.body.data, { id: /^cmt_/, text, author: email, created_at: new Date(clock.now()).toISOString() });
  await app.request('POST', `${path}/comments`, { body: { text: 'Fixed.' } });
  const listed = await app.request<Comment[]>('GET', `${path}/comments`);
  t.same(
    listed.body.data.map((one) => one.text),
    ['Fixed.', text],
    'newest first',
  );
  const shown = await app.request<IncidentDetail>('GET', path);
  t.match(shown.body.data.events.at(-1), { type: 'commented', actor: email, message: `Commented by ${email}.` });
  t.not(shown.headers.get('etag'), before.headers.get('etag'), 'a comment changes the version');
  const filter = { workspace_id: app.workspace.id };
  const [entry] = await mongo.db.collection('audit_log').find(filter).sort({ _id: 1 }).toArray();
  t.match(entry, { action: 'alert.commented', resource: { type: 'alert', id } });
  t.equal(entry?.['metadata'].comment_id, created.body.data.id);
  const [line] = await mongo.db
    .collection('timeline')
    .find({ ...filter, type: 'incident.commented' })
    .toArray();
  t.equal(line?.['metadata'].incident_id, id, 'open dashboards get an event');
  t.notMatch(JSON.stringify([entry, line]), 'balancer');

  await app.request('POST', `${path}/resolve`);
  t.equal((await app.request('POST', `${path}/comments`, { body: { text: 'A cable.' } })).status, 201, 'when resolved');
});

t.test('pages of comments', async (t) => {
  const { app, incident } = await startOnCall(t, mongo);
  const [{ _id: id }, { _id: other }] = [await incident(), await incident({ subject: 'monitor:other' })];
  for (const text of ['one', 'two', 'three']) {
    await app.request('POST', `/v1/alerts/${id}/comments`, { body: { text } });
  }
  await app.request('POST', `/v1/alerts/${other}/comments`, { body: { text: 'elsewhere' } });
  const path = `/v1/alerts/${id}/comments?limit=2`;
  const first = await app.request<Comment[]>('GET', path);
  const second = await app.request<Comment[]>('GET', `${path}&cursor=${first.body.next_cursor}`);
  t.same(
    [first, second].map(({ body }) => body.data.map(({ text }) => text)),
    [['three', 'two'], ['one']],
  );
  t.equal(second.body.next_cursor, null);
  const foreign = `/v1/alerts/${other}/comments?limit=2&cursor=${first.body.next_cursor}`;
  t.equal((await app.request('GET', foreign)).status, 422, 'the cursor of another incident');
});

t.test('what is refused', async (t) => {
  const { app, incident } = await startOnCall(t, mongo);
  const { _id: id } = await incident();
  const path = `/v1/alerts/${id}/comments`;
  const post = async (body: unknown, key = app.key) => (await app.request('POST', path, { body, key })).status;
  for (const body of [
    {},
    { text: '' },
    { text: ' \n ' },
    { text: 'x'.repeat(2_001) },
    { text: 'a\u0000b' },
    { text: 1 },
  ])
    t.equal(await post(body), 422, JSON.stringify(body).slice(0, 40));
  t.equal(await post({ text: 'x'.repeat(2_000) }), 201);
  const reader = await buildKey(mongo, app.workspace, { scopes: ['alerts:read'] });
  const writer = await buildKey(mongo, app.workspace, { scopes: ['alerts:write'] });
  t.equal(await post({ text: 'x' }, reader.key), 403);
  t.equal(await post({ text: 'x' }, writer.key), 201);
  t.equal((await app.request('GET', path, { key: reader.key })).status, 200);
  t.equal((await app.request('GET', path, { key: writer.key })).status, 403);
  const foreign = await buildKey(mongo, await buildWorkspace(mongo, {}));
  t.equal(await post({ text: 'x' }, foreign.key), 404);
  t.equal((await app.request('GET', path, { key: foreign.key })).status, 404);
  t.equal((await app.request('POST', `/v1/alerts/${MISSING}/comments`, { body: { text: 'x' } })).status, 404);
});

t.test('concurrent comments do not exceed the limit', async (t) => {
  const { app, incident } = await startOnCall(t, mongo);
  const { _id: id } = await incident({ comments: 198 });
  const path = `/v1/alerts/${id}/comments`;
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((text) => app.request('POST', path, { body: { text } })));
  t.same(answers.map(({ status }) => status).sort(), [201, 201, 409, 409]);
  t.equal((await app.request<Comment[]>('GET', path)).body.data.length, 2);
  t.match(answers.find(({ status }) => status === 409)?.body, { detail: 'An incident has at most 200 comments.' });
});
