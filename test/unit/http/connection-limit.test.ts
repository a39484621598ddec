import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import t, { type Test } from 'tap';
import {
  type ConnectionLimits,
  connectionLimitsFor,
  limitConnections,
} from '../../../control-plane/http/connections/connection-limit.js';
import { readDescriptorsMax } from '../../../control-plane/http/connections/file-descriptors.js';
import { refuseInvalidRequests } from '../../../control-plane/http/connections/refuse-invalid-requests.js';
import { exactNetworks, readNetworks } from '../../../kernel/guard/networks.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { waitFor } from '../../helpers/wait.js';

const PROXY = '127.0.9.9';
const LINGER_MS = 2_000;
const SILENT_MS = 1_000;
const GET = 'GET / HTTP/1.1\r\nHost: picket.test\r\n\r\n';
const WAIT_MS = 20_000;

/** A server whose answers begin at once and end when the test ends them. */
async function start(t: Test, limits: ConnectionLimits) {
  const clock = testClock();
  const warnings: object[] = [];
  const answers: ServerResponse[] = [];
  const server = createServer((request, response) => {
    request.resume();
    response.write('begun');
    answers.push(response);
  });
  const connections = limitConnections(server, {
    ...{ clock, limits, trustedProxies: exactNetworks(readNetworks('PICKET_TRUSTED_PROXIES', PROXY)) },
    logger: { warn: (fields: object) => warnings.push(fields) } as never,
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    connections.stop();
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  /** Connects from an address, and resolves when the server has decided about the connection. */
  async function from(localAddress: string): Promise<Socket> {
    const decided = once(server, 'connection');
    const socket = connect({ port, host: '127.0.0.1', localAddress });
    t.teardown(() => socket.destroy());
    socket.on('error', () => {}).resume();
    await decided;
    return socket;
  }
  /** Sends a request, and resolves when the server has begun to answer. */
  async function ask(socket: Socket, request = GET): Promise<ServerResponse> {
    const before = answers.length;
    socket.write(request);
    await waitFor('the request', WAIT_MS, () => answers.length > before);
    return answers[before] as ServerResponse;
  }
  return { clock, connections, from, ask, warnings };
}

async function ended(response: ServerResponse): Promise<void> {
  const closed = once(response, 'close');
  response.end();
  await closed;
}

const closed = (socket: Socket) => waitFor('the end of the connection', WAIT_MS, () => socket.closed);

t.test('the connections of all have a limit; the one that has been silent longest makes room', async (t) => {
  const { clock, connections, from, warnings } = await start(t, { max: 3, ofNetworkMax: 3 });
  const sockets: Socket[] = [];
  for (const host of [1, 2, 3]) {
    sockets.push(await from(`127.0.0.${host}`));
    await clock.advance(10);
  }
  await closed(await from('127.0.0.4'));
  t.equal(connections.open(), 3, 'a newcomer is refused while none has been silent for a second');
  await clock.advance(SILENT_MS - 30);
  const newcomer = await from('127.0.0.4');
  await closed(sockets[0] as Socket);
  t.same([connections.open(), connections.turnedAway()], [3, 2]);
  t.same([sockets[1]?.destroyed, sockets[2]?.destroyed, newcomer.destroyed], [false, false, false]);
  await clock.advance(60_000);
  t.same(warnings, [{ connections: 2 }], 'one line for all');
  sockets[1]?.destroy();
  await waitFor('a free place', WAIT_MS, () => connections.open() === 2);
  await from('127.0.0.5');
  t.equal(connections.turnedAway(), 2, 'the place of one that has left is free');
});

t.test('a network has its own limit, and makes room for others first', async (t) => {
  const { clock, connections, from } = await start(t, { max: 4, ofNetworkMax: 3 });
  const crowd = [await from('127.0.0.1'), await from('127.0.0.1'), await from('127.0.0.1')];
  await closed(await from('127.0.0.1'));
  await clock.advance(SILENT_MS);
  crowd.push(await from('127.0.0.1'));
  await closed(crowd[0] as Socket);
  t.equal(connections.open(), 3, 'a silent one of its own made room');
  const others = [await from('127.0.0.2'), await from('127.0.0.3')];
  await closed(crowd[1] as Socket);
  t.same([connections.open(), others.some(({ destroyed }) => destroyed)], [4, false]);
});

t.test('a connection whose request is being answered is never pushed out', async (t) => {
  const { clock, connections, from, ask } = await start(t, { max: 2, ofNetworkMax: 2 });
  const [stream, upload] = [await from('127.0.0.1'), await from('127.0.0.2')];
  await ask(stream);
  const post = 'POST / HTTP/1.1\r\nHost: picket.test\r\nContent-Length: 2\r\n\r\n';
  const response = await ask(upload, `${post}ab`);
  await waitFor('the body', WAIT_MS, () => response.req.complete);
  await clock.advance(3_600_000);
  await closed(await from('127.0.0.3'));
  t.same([stream.destroyed, upload.destroyed, connections.open()], [false, false, 2]);
  await ended(response);
  await clock.advance(SILENT_MS - 1);
  await closed(await from('127.0.0.3'));
  t.equal(upload.destroyed, false, 'after the answer it has a second for its next request');
  await clock.advance(1);
  const newcomer = await from('127.0.0.3');
  await closed(upload);
  t.same([stream.destroyed, newcomer.destroyed], [false, false]);
});

t.test('a client does not keep its place with half a request', async (t) => {
  const { clock, from, ask } = await start(t, { max: 2, ofNetworkMax: 2 });
  const [head, body] = [await from('127.0.0.1'), await from('127.0.0.2')];
  head.write('GET / HTTP/1.1\r\n');
  await ask(body, 'POST / HTTP/1.1\r\nHost: picket.test\r\nTransfer-Encoding: chunked\r\n\r\n1\r\na\r\n');
  await clock.advance(SILENT_MS);
  await from('127.0.0.3');
  await closed(head);
  await from('127.0.0.4');
  await closed(body);
});

t.test('a trusted proxy has no limit for its address, and strangers do not push it out', async (t) => {
  const { clock, connections, from } = await start(t, { max: 4, ofNetworkMax: 1 });
  const kept = [await from(PROXY), await from(PROXY)];
  await clock.advance(3_600_000);
  const strangers = [await from('127.0.0.1'), await from('127.0.0.2')];
  await closed(await from('127.0.0.3'));
  t.same([kept.some(({ destroyed }) => destroyed), connections.open()], [false, 4], 'however long it was silent');
  kept.push(await from(PROXY), await from(PROXY));
  await Promise.all(strangers.map(closed));
  await closed(await from('127.0.0.3'));
  t.same([kept.some(({ destroyed }) => destroyed), connections.open()], [false, 4], 'strangers make room at once');
  await from(PROXY);
  await closed(kept[0] as Socket);
  t.equal(connections.open(), 4);
});

t.test('a client that does not close its connection after a refusal keeps it for two seconds', async (t) => {
  const clock = testClock();
  // The timeouts are the server's own, so they pass in real time. Nothing here depends on how long they take.
  const server = createServer({ headersTimeout: 20, requestTimeout: 20, connectionsCheckingInterval: 10 }, () => {});
  refuseInvalidRequests(server, { clock, random: systemRandom });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)));
  const sent = [
    '',
    'GET / HTTP/1.1\r\nHost: picket.test\r\n',
    'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\na',
  ];
  for (const part of [...sent, 'no HTTP\r\n\r\n']) {
    const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true });
    t.teardown(() => socket.destroy());
    let answer = '';
    socket
      .on('error', () => {})
      .on('data', (chunk) => {
        answer += chunk;
      });
    socket.write(part);
    await once(socket, 'end');
    t.match(answer, part === 'no HTTP\r\n\r\n' ? /^HTTP\/1\.1 400 .*not valid HTTP/s : /^HTTP\/1\.1 400 .*in time/s);
  }
  await clock.advance(LINGER_MS - 1);
  t.equal(await open(), 4, 'the clients have time to read the answer');
  await clock.advance(1);
  await waitFor('the end of the connections', WAIT_MS, async () => (await open()) === 0);
});

t.test('the limits fit the number of files that the process may open', async (t) => {
  const limits = (soft: string) =>
    `Limit                     Soft Limit           Hard Limit           Units\nMax open files            ${soft}                  524288               files\n`;
  const folder = t.testdir({ limited: limits('250'), unlimited: limits('unlimited') });
  t.equal(await readDescriptorsMax(`${folder}/limited`), 250);
  t.equal(await readDescriptorsMax(`${folder}/unlimited`), null);
  t.equal(await readDescriptorsMax(`${folder}/none`), null, 'on a system without the file');
  t.same(connectionLimitsFor(250), { max: 125, ofNetworkMax: 62 });
  t.same(connectionLimitsFor(4_096), { max: 2_048, ofNetworkMax: 1_000 });
  t.same(connectionLimitsFor(1_048_576), { max: 10_000, ofNetworkMax: 1_000 });
  t.same(connectionLimitsFor(null), connectionLimitsFor(1_048_576));
});
