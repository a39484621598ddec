import t from 'tap';
import { Type } from 'typebox';
import type { ActorSession } from '../../../control-plane/actor.js';
import type { Authenticator } from '../../../control-plane/http/authenticate.js';
import { sessionCookie } from '../../../control-plane/http/client/session-cookie.js';
import { mutationRoute, type Reply, type Route, readRoute } from '../../../control-plane/http/route.js';
import { startApp } from '../../helpers/app.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { actorOf, buildWorkspace } from '../../helpers/factories.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const clock = testClock();
const workspace = await buildWorkspace(mongo);
let session: ActorSession = { id: 'ses_1', confirmedAtMs: clock.now(), secondFactor: false, restriction: null };

/** Knows one person by the cookie `person=1`. */
const people: Authenticator = {
  recognizes: () => true,
  recheck: async () => null,
  async authenticate({ client }) {
    if (client.cookie !== 'person=1') return null;
    return actorOf(workspace, { kind: 'session', session, ip: client.ip, userAgent: client.userAgent });
  },
};

const Seen = Type.Object({ client: Type.Unknown(), actor: Type.Unknown() });
const common = { tag: 'T', summary: 'S', replies: { 200: Seen } } as const;
const seen = async ({ client, actor }: { client: unknown; actor: unknown }) => ({
  status: 200 as const,
  data: { client, actor },
});
const reply = async (): Promise<Reply> => ({
  ...{ status: 200, data: { client: 1, actor: 1 } },
  cookies: [sessionCookie('https://picket.test', 'secret', 60), 'other=1'],
});
const routes: Route[] = [
  readRoute({ ...common, method: 'GET', path: '/v1/open', access: 'public', handle: seen }),
  readRoute({ ...common, method: 'GET', path: '/v1/own', access: 'person', handle: seen }),
  readRoute({ ...common, method: 'GET', path: '/v1/things', access: 'things:read', handle: seen }),
  mutationRoute({ ...common, method: 'POST', path: '/v1/fresh', access: 'full', fresh: true, handle: reply }),
  mutationRoute({ ...common, method: 'POST', path: '/v1/owner', access: 'owner', handle: reply }),
  readRoute({
    ...{ tag: 'T', summary: 'S', method: 'GET', path: '/v1/away', access: 'public', replies: { 302: null } },
    query: Type.Object({ to: Type.String() }),
    handle: async ({ query }) => ({ status: 302, redirect: query.to }),
  }),
];
const app = await startApp({ mongo, routes, authenticators: [people], clock });
t.teardown(() => app.close());

const asPerson = { key: null, headers: { cookie: 'person=1' } };

t.test('a handler sees the client, with a bounded user agent, also on a public route', async (t) => {
  const headers = {
    ...{ 'user-agent': `  Browser\u0080 ${'x'.repeat(500)}`, origin: 'https://o.test', 'sec-fetch-site': 'none' },
    ...{ cookie: 'a=1', 'x-request-id': 'mine' },
  };
  const open = await app.request<{ client: Record<string, unknown> }>('GET', '/v1/open', { key: null, headers });
  t.match(open.body.data.client, {
    ...{ ip: '127.0.0.1', requestId: 'mine', host: `127.0.0.1:${app.port}`, origin: 'https://o.test' },
    ...{ fetchSite: 'none', cookie: 'a=1', userAgent: /^Browser x+$/ },
  });
  t.equal(String(open.body.data.client['userAgent']).length, 300);
  const own = await app.request('GET', '/v1/own', { ...asPerson, headers: { ...asPerson.headers, 'user-agent': 'B' } });
  t.match(own, { status: 200, body: { data: { actor: { kind: 'session', userAgent: 'B', ip: '127.0.0.1' } } } });
});

t.test('a route for people refuses keys, and says why', async (t) => {
  t.match(await app.request('GET', '/v1/own'), {
    ...{ status: 403, body: { code: 'forbidden' } },
    ...{ text: /This needs a person who is logged in, not an API key\./ },
  });
});

t.test('a fresh route needs a confirmation of the last ten minutes, but not from a key', async (t) => {
  t.equal((await app.request('POST', '/v1/fresh', asPerson)).status, 200);
  await clock.advance(600_001);
  t.match(await app.request('POST', '/v1/fresh', asPerson), { status: 403, body: { code: 'confirmation_required' } });
  t.equal((await app.request('POST', '/v1/fresh')).status, 200);
  session = { ...session, confirmedAtMs: clock.now() };
  t.equal((await app.request('POST', '/v1/fresh', asPerson)).status, 200);
});

t.test('a restricted session gets the reason', async (t) => {
  session = { ...session, restriction: 'second_factor_setup_required' };
  t.equal((await app.request('GET', '/v1/own', asPerson)).status, 200);
  t.match(await app.request('GET', '/v1/things', asPerson), {
    ...{ status: 403, body: { code: 'second_factor_setup_required' } },
  });
  session = { ...session, restriction: null };
});

t.test('cookies are set, and never stored with an Idempotency-Key', async (t) => {
  const headers = { ...asPerson.headers, 'idempotency-key': 'once' };
  const first = await app.request('POST', '/v1/owner', { ...asPerson, headers });
  t.same(first.headers.getSetCookie(), [
    '__Host-picket_session=secret; Path=/; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
    'other=1',
  ]);
  const again = await app.request('POST', '/v1/owner', { ...asPerson, headers });
  t.equal(again.headers.get('idempotent-replayed'), 'true');
  t.same(again.headers.getSetCookie(), []);
  const stored = await mongo.db.collection('idempotency_keys').find().toArray();
  t.equal(stored.length, 1);
  const opened = app.parts.secretBox.open(String(stored[0]?.['answer']), {
    ...{ purpose: 'idempotent_response', id: String(stored[0]?._id) },
  });
  t.notMatch(opened, /secret|cookie/i);
});

t.test('a redirect goes to an absolute web address, and to nothing else', async (t) => {
  const to = async (url: string) => app.request('GET', `/v1/away?to=${encodeURIComponent(url)}`, { key: null });
  const away = await to('https://idp.example/authorize?a=1');
  t.equal(away.status, 302);
  t.equal(away.headers.get('location'), 'https://idp.example/authorize?a=1');
  for (const bad of ['/relative', '//evil.example', 'javascript:alert(1)']) t.equal((await to(bad)).status, 500, bad);
});

t.test('without https the cookie has no prefix, because browsers would refuse it', (t) => {
  t.equal(
    sessionCookie('http://127.0.0.1:8080', 'secret', 60),
    'picket_session=secret; Path=/; Max-Age=60; HttpOnly; SameSite=Lax',
  );
  t.end();
});
