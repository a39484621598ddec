import { request } from 'node:http';
import { connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import Koa from 'koa';
import t, { type Test } from 'tap';
import { connectionLimitsFor } from '../../../control-plane/http/connections/connection-limit.js';
import { type HttpServer, listen } from '../../../control-plane/http/server.js';
import type { Clock } from '../../../kernel/clock.js';
import { exactNetworks } from '../../../kernel/guard/networks.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { createGate, type Gate } from '../../helpers/gate.js';

const GRACE_MS = 8_000;

/** A server whose answers wait for the gate. */
async function waiting(t: Test, gate: Gate, clock: Clock): Promise<{ server: HttpServer; arrived(): number }> {
  const app = new Koa();
  let arrived = 0;
  app.use(async (ctx) => {
    arrived += 1;
    await gate.pass();
    ctx.body = 'answered';
  });
  const server = await listen({
    ...{
      app,
      host: '127.0.0.1',
      port: 0,
      trustedProxies: exactNetworks([]),
      connectionLimits: connectionLimitsFor(null),
    },
    ...{ clock, random: systemRandom, logger: createLogger({ name: 'test', level: 'silent' }) },
  });
  t.teardown(() => gate.open());
  return { server, arrived: () => arrived };
}

interface Answer {
  status: number;
  connection: string | undefined;
  body: string;
}

function get(port: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const sent = request({ host: '127.0.0.1', port, path: '/' }, async (response) => {
      const { statusCode = 0, headers } = response;
      resolve({ status: statusCode, connection: headers.connection, body: await text(response) });
    });
    sent.once('error', reject);
    sent.end();
  });
}

async function connected(t: Test, port: number): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await new Promise((resolve) => socket.once('connect', resolve));
  t.teardown(() => socket.destroy());
  return socket;
}

/** Resolves when the server has as many requests. */
async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setImmediate(resolve));
}

/** Moves the clock when all that was due has happened. */
async function advanced(clock: TestClock, ms: number): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
  await clock.advance(ms);
}

t.test('a shutdown finishes the requests in progress and refuses new ones', async (t) => {
  const [gate, clock] = [createGate(), testClock()];
  const { server, arrived } = await waiting(t, gate, clock);
  const begun = await connected(t, server.port);
  begun.write('GET / HTTP/1.1\r\nHost: a\r\n');
  const answers = Array.from({ length: 30 }, () => get(server.port));
  await until(() => arrived() === 30);
  let isClosed = false;
  const closed = server.close(GRACE_MS).then(() => {
    isClosed = true;
  });
  await t.rejects(get(server.port), { code: 'ECONNREFUSED' }, 'no new connection');
  begun.write('\r\n');
  const refused = await text(begun);
  t.match(refused, /^HTTP\/1\.1 503 .*\r\nConnection: close\r\n.*Retry-After: 5\r\n.*"code":"unavailable"/s);
  t.equal(arrived(), 30, 'no new request on an open connection');
  await advanced(clock, GRACE_MS - 1);
  t.equal(isClosed, false, 'the requests are not cut');
  gate.open();
  for (const answer of await Promise.all(answers)) {
    t.match(answer, { status: 200, connection: 'close', body: 'answered' });
  }
  await closed;
});

t.test('a shutdown waits no longer than its grace', async (t) => {
  const [gate, clock] = [createGate(), testClock()];
  const { server } = await waiting(t, gate, clock);
  const answer = get(server.port);
  const cut = t.rejects(answer, { code: 'ECONNRESET' });
  await gate.reached;
  const closed = server.close(GRACE_MS);
  await advanced(clock, GRACE_MS);
  await closed;
  await cut;
});

t.test('connections without a request do not delay a shutdown', async (t) => {
  const [gate, clock] = [createGate(), testClock()];
  const { server } = await waiting(t, gate, clock);
  gate.open();
  const kept = await connected(t, server.port);
  kept.write('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
  await new Promise((resolve) => kept.once('data', resolve));
  await connected(t, server.port);
  await server.close(GRACE_MS);
  t.pass('closed without the clock');
});

t.test('nor does a connection whose request was refused, and whose client does not close it', async (t) => {
  const [gate, clock] = [createGate(), testClock()];
  const { server } = await waiting(t, gate, clock);
  const refused = connect({ port: server.port, host: '127.0.0.1', allowHalfOpen: true });
  t.teardown(() => refused.destroy());
  refused.on('error', () => {}).write('no HTTP\r\n\r\n');
  t.match(await text(refused), /^HTTP\/1\.1 400 /);
  await server.close(GRACE_MS);
  t.pass('closed without the clock');
});
