import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { waitFor } from '../../helpers/wait.js';

/** Three control planes on one database, behind a proxy on this machine. */
const mongo = await testDatabase();
const first = await startControlPlane(mongo.uri, { PICKET_TRUSTED_PROXIES: '127.0.0.1' });
const others = await Promise.all([startOther(), startOther()]);
t.teardown(async () => {
  await Promise.all(others.map(({ stop }) => stop()));
  await first.remove();
  await mongo.drop();
});
const planes = [first.url, ...others.map(({ url }) => url)];
const owner: { email: string; password: string } = JSON.parse(
  await readFile(join(first.dataDir, 'first-run.json'), 'utf8'),
);

/** Starts another control plane of the same installation. */
async function startOther() {
  const { PICKET_HTTP_PORT: _http, PICKET_GRPC_PORT: _grpc, ...installation } = first.env;
  return startControlPlane(mongo.uri, installation);
}

async function send(
  plane: number,
  method: string,
  path: string,
  options: { body?: unknown; cookie?: string; from?: string } = {},
) {
  const { body, cookie, from = '192.0.2.1' } = options;
  return fetch(`${planes[plane % 3]}${path}`, {
    method,
    headers: {
      'x-forwarded-for': from,
      ...(cookie === undefined ? {} : { cookie }),
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

const logIn = (plane: number, body: unknown, from?: string) =>
  send(plane, 'POST', '/v1/auth/login', { body, ...(from === undefined ? {} : { from }) });
const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? '';

t.test('the first owner logs in at one control plane and is known at all', async (t) => {
  const { email, password } = owner;
  const response = await logIn(0, { email, password });
  t.equal(response.status, 200);
  const cookie = cookieOf(response);
  for (const plane of [0, 1, 2]) {
    const me = await send(plane, 'GET', '/v1/auth/me', { cookie });
    t.match(await me.json(), { data: { email, role: 'owner', operator: true, api_key: null } });
    t.equal((await send(plane, 'GET', '/v1/monitors', { cookie })).status, 200);
  }
});

// That it takes five seconds at most is tested with a clock of its own, in test/api/sessions/authenticator.test.ts.
t.test('a session that is ended at one control plane stops at all', async (t) => {
  const { email, password } = owner;
  const [own, stolen] = [cookieOf(await logIn(0, { email, password })), cookieOf(await logIn(1, { email, password }))];
  const read = async (plane: number) => (await send(plane, 'GET', '/v1/monitors', { cookie: stolen })).status;
  for (const plane of [0, 1, 2]) t.equal(await read(plane), 200);
  t.equal((await send(0, 'DELETE', '/v1/auth/sessions', { cookie: own })).status, 204);
  t.equal((await send(2, 'POST', '/v1/auth/logout', { cookie: stolen })).status, 401, 'it can change nothing more');
  await waitFor('the end everywhere', 60_000, async () => {
    const statuses = await Promise.all([0, 1, 2].map(read));
    return statuses.every((status) => status === 401);
  });
  t.equal((await send(1, 'GET', '/v1/monitors', { cookie: own })).status, 200);
});

t.test(
  'brute force over three control planes gets ten guesses, and the right one is not told from the others',
  async (t) => {
    const { email, password } = owner;
    const from = '192.0.2.66';
    const guesses = Array.from({ length: 90 }, (_, index) => logIn(index, { email, password: `guess ${index}` }, from));
    const statuses = (await Promise.all(guesses)).map(({ status }) => status);
    t.equal(statuses.filter((status) => status === 401).length, 10);
    t.equal(statuses.filter((status) => status === 429).length, 80);
    for (const plane of [0, 1, 2]) t.equal((await logIn(plane, { email, password }, from)).status, 429);
    t.equal((await logIn(1, { email, password }, '192.0.2.67')).status, 200, 'the person is not locked out elsewhere');
  },
);

t.test('a log-in from a foreign page is refused, and a new session cannot be used by one', async (t) => {
  const { email, password } = owner;
  const foreign = await fetch(`${planes[0]}/v1/auth/login`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', origin: 'https://evil.example' },
    body: JSON.stringify({ email, password }),
  });
  t.equal(foreign.status, 403);
  const cookie = cookieOf(await logIn(0, { email, password }));
  const change = (origin: string) =>
    fetch(`${planes[1]}/v1/api-keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', cookie, origin },
      body: JSON.stringify({ name: 'mine' }),
    });
  t.equal((await change('https://evil.example')).status, 403);
  t.equal((await change(String(planes[1]))).status, 201);
});
