import { lookup } from 'node:dns';
import { once } from 'node:events';
import { createServer as createHttpServer, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { createSecureContext } from 'node:tls';
import t, { type Test } from 'tap';
import { createGuardedConnect } from '../../../kernel/guard/guarded-connect.js';
import { createGuardedFetch } from '../../../kernel/guard/guarded-fetch.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { testClock } from '../../helpers/clock.js';

const guard = createTargetGuard({ allowPrivate: true });
const TIMEOUT_MS = 5_000;
const GET = { method: 'GET', headers: {}, body: null, timeoutMs: TIMEOUT_MS } as const;

async function portOf(t: Test, server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => server.close());
  return (server.address() as AddressInfo).port;
}

t.test('a request that a stall of this process has delayed still gets its response', async (t) => {
  const clock = testClock();
  const server = createHttpServer();
  const url = `http://127.0.0.1:${await portOf(t, server)}/`;
  const fetch = createGuardedFetch({ guard, clock });
  t.teardown(() => fetch.close());
  const arrived = once(server, 'request');
  const response = fetch.request(url, GET);
  const [, reply]: ServerResponse[] = await arrived;
  clock.stall(60_000);
  await clock.advance(0);
  reply?.end('ok');
  t.match(await response, { status: 200, body: 'ok' });

  const again = once(server, 'request');
  const silent = fetch.request(url, GET);
  silent.catch(() => {});
  await again;
  await clock.advance(TIMEOUT_MS);
  await t.rejects(silent, /timeout|within/, 'without a stall it ends in time');
});

t.test('a connection that a stall of this process has delayed is still awaited', async (t) => {
  const clock = testClock();
  // It never answers the handshake.
  const server = createServer();
  const port = await portOf(t, server);
  server.on('connection', (socket) => t.teardown(() => socket.destroy()));
  const connect = createGuardedConnect({ guard, clock, lookup });
  const begin = async () => {
    const abort = new AbortController();
    const tls = createSecureContext();
    const arrived = once(server, 'connection');
    const { signal } = abort;
    const connecting = connect({ host: '127.0.0.1', port, tls, timeoutMs: TIMEOUT_MS, signal });
    connecting.catch(() => {});
    await arrived;
    return { connecting, abort };
  };
  const { connecting, abort } = await begin();
  clock.stall(60_000);
  await clock.advance(0);
  abort.abort();
  await t.rejects(connecting, /aborted/, 'its time was not over');
  const other = await begin();
  await clock.advance(TIMEOUT_MS);
  await t.rejects(other.connecting, /no connection within 5000 ms/);
});
