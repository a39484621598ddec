import t from 'tap';
import type { MembershipDocument } from '../../../control-plane/accounts/documents.js';
import type { Role } from '../../../control-plane/roles.js';
import { startApp, type TestApp } from '../../helpers/app.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { buildSession, buildWorkspace } from '../../helpers/factories.js';
import { PING_ROUTES } from '../../helpers/sessions/setup.js';
import { waitFor } from '../../helpers/wait.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const sessions = mongo.db.collection<{ _id: string; last_used_at_ms: number; expires_at_ms: number }>('sessions');

/** The database records each query for a session from now on. */
await mongo.db.command({ profile: 1, slowms: 0, filter: { ns: `${mongo.db.databaseName}.sessions`, op: 'command' } });
const lookUps = () => mongo.db.collection('system.profile').countDocuments({ 'command.aggregate': 'sessions' });

async function start(t: { teardown(run: () => unknown): void }): Promise<{ app: TestApp; clock: TestClock }> {
  const clock = testClock(Date.now());
  const app = await startApp({ mongo, routes: PING_ROUTES, clock });
  t.teardown(() => app.close());
  return { app, clock };
}

const join = ({ id, userId }: { id: string; userId: string }, role: Role) =>
  mongo.db.collection<MembershipDocument>('memberships').insertOne({
    ...{ _id: `${id}/${userId}`, workspace_id: id, user_id: userId, role, created_at_ms: 1 },
  });
const as = (cookie: string, headers: Record<string, string> = {}) => ({ key: null, headers: { cookie, ...headers } });

t.test('a session check costs one read, and reads share it for five seconds', async (t) => {
  const { app, clock } = await start(t);
  const { cookie } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const before = await lookUps();
  const ping = (method: string) => app.request('GET' === method ? 'GET' : 'POST', '/v1/ping', as(cookie));
  const answers = await Promise.all(Array.from({ length: 50 }, () => ping('GET')));
  for (const answer of answers) t.match(answer, { status: 200, body: { data: { email: app.workspace.email } } });
  t.equal((await lookUps()) - before, 1, 'fifty at once');
  await clock.advance(4_999);
  await ping('GET');
  t.equal((await lookUps()) - before, 1);
  await clock.advance(1);
  await ping('GET');
  t.equal((await lookUps()) - before, 2);
  await ping('POST');
  t.equal((await lookUps()) - before, 3, 'a change reads it itself');
});

t.test('pages that were loaded for another workspace cost one read a second', async (t) => {
  const { app, clock } = await start(t);
  const { cookie } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const foreign = { 'picket-loaded-for': `${app.workspace.id} usr_${'0'.repeat(26)}`, origin: 'http://picket.test' };
  const ping = () => app.request('GET', '/v1/ping', as(cookie, foreign));
  await app.request('GET', '/v1/ping', as(cookie));
  const before = await lookUps();
  const answers = await Promise.all(Array.from({ length: 50 }, ping));
  for (const { status } of answers) t.equal(status, 409);
  t.equal((await lookUps()) - before, 1, 'fifty at once');
  await clock.advance(999);
  t.equal((await ping()).status, 409);
  t.equal((await lookUps()) - before, 1);
  await clock.advance(1);
  await ping();
  await ping();
  t.equal((await lookUps()) - before, 2);
});

t.test('an ended session stops within five seconds on another control plane, for changes at once', async (t) => {
  const { app, clock } = await start(t);
  const { app: other, clock: otherClock } = await start(t);
  const { session, cookie } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const read = async (from: TestApp) => (await from.request('GET', '/v1/ping', as(cookie))).status;
  t.equal(await read(app), 200);
  t.equal(await read(other), 200);
  await app.parts.runTransaction((tx) => app.parts.sessions.end(tx, app.workspace.userId, session._id));
  t.equal(await read(app), 401, 'at once where it was ended');
  t.equal((await other.request('POST', '/v1/ping', as(cookie))).status, 401);
  const { cookie: second } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const readSecond = async () => (await other.request('GET', '/v1/ping', as(second))).status;
  t.equal(await readSecond(), 200);
  await app.parts.runTransaction((tx) => app.parts.sessions.endAll(tx, app.workspace.userId));
  await otherClock.advance(4_999);
  t.equal(await readSecond(), 200, 'the cache is what it is');
  await otherClock.advance(1);
  const refused = await other.request('GET', '/v1/ping', as(second));
  t.match(refused, {
    status: 401,
    body: { code: 'unauthenticated', detail: 'This session has ended. Log in again.' },
  });
});

t.test('use makes a session last, to the minute', async (t) => {
  const { app, clock } = await start(t);
  const nowMs = clock.now();
  const { session, cookie } = await buildSession(mongo, { ...app.workspace }, { nowMs });
  const ping = async () => (await app.request('GET', '/v1/ping', as(cookie))).status;
  const stored = () => sessions.findOne({ _id: session._id });
  await clock.advance(59_000);
  t.equal(await ping(), 200);
  await clock.advance(1_000);
  t.equal(await ping(), 200);
  const touched = await waitFor('the use', 60_000, async () => {
    const found = await stored();
    return found?.last_used_at_ms === nowMs + 60_000 && found;
  });
  t.equal(touched.expires_at_ms, nowMs + 60_000 + 12 * HOUR_MS, 'this person is an operator');
});

t.test('an operator is logged out after 12 hours without use wherever they work, others after 30 days', async (t) => {
  const { app, clock } = await start(t);
  const member = await buildWorkspace(mongo);
  const elsewhere = { id: member.id, userId: app.workspace.userId };
  await join(elsewhere, 'viewer');
  const viewer = { id: app.workspace.id, userId: member.userId };
  await join(viewer, 'viewer');
  for (const [person, lasts] of [
    [app.workspace, 12 * HOUR_MS],
    [elsewhere, 12 * HOUR_MS],
    [member, 30 * DAY_MS],
    [viewer, 30 * DAY_MS],
  ] as const) {
    const { cookie, session } = await buildSession(mongo, person, { nowMs: clock.now() });
    const ping = async () => (await app.request('GET', '/v1/ping', as(cookie))).status;
    clock.stall(lasts - 1);
    t.equal(await ping(), 200);
    await waitFor(
      'the use',
      60_000,
      async () => (await sessions.findOne({ _id: session._id }))?.last_used_at_ms === clock.now(),
    );
    clock.stall(lasts - 1);
    t.equal(await ping(), 200, 'its use made it last');
    await waitFor(
      'the use',
      60_000,
      async () => (await sessions.findOne({ _id: session._id }))?.last_used_at_ms === clock.now(),
    );
    clock.stall(lasts);
    t.equal(await ping(), 401);
  }
});

t.test('a page of another site cannot use the cookie to change something', async (t) => {
  const { app, clock } = await start(t);
  const { cookie } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const post = (headers: Record<string, string>) => app.request('POST', '/v1/ping', as(cookie, headers));
  t.match(await post({ origin: 'https://evil.example' }), { status: 403, body: { code: 'forbidden' } });
  t.equal((await post({ 'sec-fetch-site': 'cross-site' })).status, 403);
  t.equal((await post({ origin: 'http://picket.test' })).status, 200);
  t.equal((await post({ origin: app.url })).status, 200, 'the address that the browser has opened');
  t.equal((await app.request('GET', '/v1/ping', as(cookie, { origin: 'https://evil.example' }))).status, 200);
});

t.test('what is not a session is refused without a query where it cannot be one', async (t) => {
  const { app, clock } = await start(t);
  const before = await lookUps();
  for (const value of ['', 'x', 'a'.repeat(44), 'é'.repeat(43), `${'a'.repeat(42)}%`]) {
    const { status } = await app.request('GET', '/v1/ping', as(`picket_session=${encodeURI(value)}`));
    t.equal(status, 401, value);
  }
  t.equal(await lookUps(), before);
  t.equal((await app.request('GET', '/v1/ping', as(`picket_session=${'a'.repeat(43)}`))).status, 401);
  t.equal((await lookUps()) - before, 1);
  const { cookie } = await buildSession(mongo, app.workspace, { nowMs: clock.now() });
  const name = cookie.replace('picket_session', '__Host-picket_session');
  t.equal((await app.request('GET', '/v1/ping', as(name))).status, 401, 'the name for https');
  t.equal((await app.request('GET', '/v1/ping', as(`a=1; ${cookie}; b=2`))).status, 200);
});

t.test('a person who has left the workspace is logged out of it', async (t) => {
  const { app, clock } = await start(t);
  const left = await buildWorkspace(mongo);
  const { cookie } = await buildSession(mongo, left, { nowMs: clock.now() });
  t.equal((await app.request('GET', '/v1/ping', as(cookie))).status, 200);
  await mongo.db.collection<{ _id: string }>('memberships').deleteOne({ _id: `${left.id}/${left.userId}` });
  await clock.advance(5_000);
  t.equal((await app.request('GET', '/v1/ping', as(cookie))).status, 401);
});

t.test('a person who sets up a required second factor elsewhere need not wait', async (t) => {
  const { app, clock } = await start(t);
  const { app: other } = await start(t);
  const strict = await buildWorkspace(mongo);
  await mongo.db
    .collection<{ _id: string }>('workspaces')
    .updateOne({ _id: strict.id }, { $set: { requires_second_factor: true } });
  const { session, cookie } = await buildSession(mongo, strict, { nowMs: clock.now() });
  const post = async () => (await app.request('POST', '/v1/ping', as(cookie))).body.code;
  t.equal(await post(), 'second_factor_setup_required');
  t.equal((await app.request('GET', '/v1/ping', as(cookie))).status, 200);
  await other.parts.runTransaction((tx) => other.parts.sessions.confirm(tx, session._id, { secondFactor: true }));
  t.equal(await post(), undefined);
});
