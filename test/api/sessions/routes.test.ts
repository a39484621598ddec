import t from 'tap';
import { startApp, type TestParts } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildSession, buildWorkspace } from '../../helpers/factories.js';
import { openSessions, PING_ROUTES } from '../../helpers/sessions/setup.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const clock = testClock(Date.now());
const app = await startApp({
  ...{ mongo, clock },
  routes: async (parts: TestParts) => [...PING_ROUTES, ...((await openSessions(parts)).routes ?? [])],
});
t.teardown(() => app.close());

interface Shown {
  id: string;
  current: boolean;
}

const PATH = '/v1/auth/sessions';
const as = (cookie: string, headers: Record<string, string> = {}) => ({ key: null, headers: { cookie, ...headers } });
const signedIn = (person = app.workspace, userAgent: string | null = null) =>
  buildSession(mongo, person, { nowMs: clock.now(), user_agent: userAgent });
const entries = () =>
  mongo.db.collection('audit_log').find({ action: 'auth.session_ended' }).sort({ _id: 1 }).toArray();

t.test('a person sees where they are logged in', async (t) => {
  const first = await signedIn(app.workspace, 'curl/8.5.0');
  const second = await signedIn();
  await buildSession(mongo, app.workspace, { nowMs: clock.now() - 86_400_000, expires_at_ms: clock.now() });
  await signedIn(await buildWorkspace(mongo));
  const list = await app.request<Shown[]>('GET', PATH, as(second.cookie));
  t.match(list.body.data, [
    { id: second.session._id, current: true, device: 'Unknown device', ip: '127.0.0.1', method: 'password' },
    { id: first.session._id, current: false, device: 'curl', user_agent: 'curl/8.5.0', workspace_id: app.workspace.id },
  ]);
  t.equal(list.body.data.length, 2, 'not those that have ended, and not those of others');
  t.notMatch(list.text, /token|hash/);
  const page = await app.request<Shown[]>('GET', `${PATH}?limit=1`, as(second.cookie));
  const rest = await app.request<Shown[]>('GET', `${PATH}?limit=1&cursor=${page.body.next_cursor}`, as(second.cookie));
  t.same(
    [...page.body.data, ...rest.body.data].map(({ id }) => id),
    [second.session._id, first.session._id],
  );
  t.match(await app.request('GET', PATH), { status: 403, body: { code: 'forbidden' } }, 'a key is no person');
});

t.test('one session is ended', async (t) => {
  const [own, other, foreign] = [await signedIn(), await signedIn(), await signedIn(await buildWorkspace(mongo))];
  t.equal((await app.request('GET', '/v1/ping', as(other.cookie))).status, 200);
  const end = (id: string, headers = {}) => app.request('DELETE', `${PATH}/${id}`, as(own.cookie, headers));
  const read = async (id: string) => app.request('GET', `${PATH}/${id}`, as(own.cookie));
  t.match((await read(other.session._id)).body.data, { id: other.session._id, current: false });
  t.equal((await read(foreign.session._id)).status, 404);
  t.equal((await end(foreign.session._id)).status, 404, 'not that of another person');
  t.equal((await end(other.session._id, { 'if-match': '"2"' })).status, 412);
  t.equal((await end(other.session._id)).status, 204);
  t.equal((await end(other.session._id)).status, 404);
  t.equal((await app.request('POST', '/v1/ping', as(other.cookie))).status, 401);
  t.equal((await app.request('GET', '/v1/ping', as(foreign.cookie))).status, 200);
  t.match((await entries()).at(-1), {
    actor: { id: app.workspace.userId },
    resource: { type: 'session', id: other.session._id },
    metadata: { ended: 1 },
  });
});

t.test('all others are ended', async (t) => {
  const [own, other] = [await signedIn(), await signedIn()];
  const foreign = await signedIn(await buildWorkspace(mongo));
  t.equal((await app.request('DELETE', PATH, as(own.cookie))).status, 204);
  t.equal((await app.request('POST', '/v1/ping', as(other.cookie))).status, 401);
  for (const { cookie } of [own, foreign]) t.equal((await app.request('POST', '/v1/ping', as(cookie))).status, 200);
  t.ok(Number((await entries()).at(-1)?.['metadata'].ended) > 0);
});

t.test('a session that a provider opened sees and ends only sessions in its workspace', async (t) => {
  const person = await buildWorkspace(mongo);
  const elsewhere = await buildWorkspace(mongo);
  await mongo.db.collection<{ _id: string }>('memberships').insertOne({
    ...{ _id: `${elsewhere.id}/${person.userId}`, workspace_id: elsewhere.id, user_id: person.userId },
    ...{ role: 'member', created_at_ms: clock.now() },
  });
  const bound = await buildSession(mongo, person, { nowMs: clock.now(), provider_workspace_id: person.id });
  const [inside, outside] = [await signedIn(person), await signedIn({ ...elsewhere, userId: person.userId })];
  const stranger = await signedIn();
  const list = await app.request<Shown[]>('GET', PATH, as(bound.cookie));
  t.same(
    list.body.data.map(({ id }) => id),
    [inside.session._id, bound.session._id],
  );
  for (const { session } of [outside, stranger]) {
    t.equal((await app.request('GET', `${PATH}/${session._id}`, as(bound.cookie))).status, 404);
    t.equal((await app.request('DELETE', `${PATH}/${session._id}`, as(bound.cookie))).status, 404);
  }
  t.equal((await app.request('DELETE', PATH, as(bound.cookie))).status, 204);
  t.equal((await app.request('POST', '/v1/ping', as(inside.cookie))).status, 401);
  for (const { cookie } of [outside, stranger])
    t.equal((await app.request('POST', '/v1/ping', as(cookie))).status, 200);
  const again = await signedIn(person);
  t.equal((await app.request('DELETE', `${PATH}/${again.session._id}`, as(bound.cookie))).status, 204);
  t.equal((await app.request('DELETE', `${PATH}/${bound.session._id}`, as(outside.cookie))).status, 204, 'and back');
});
