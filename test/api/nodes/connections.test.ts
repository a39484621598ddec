import { once } from 'node:events';
import { type ClientHttp2Session, connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { type ServiceError, status } from '@grpc/grpc-js';
import t from 'tap';
import type { NodeLinkClient } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { enrolNode, openClient, readJoinToken } from '../../helpers/node-link/fake-node.js';
import { fakeMonitors, type NodeSide, startNodeSide } from '../../helpers/node-link/node-side.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** Connections that have begun with TLS, and those that have sent nothing. */
const BEGUN_MAX = 100;
const SILENT_MAX = 1_000;
const WAITING_MS = 10_000;

async function start(t: { teardown(run: () => unknown): void }) {
  const clock = testClock(Date.now());
  const side = await startNodeSide(mongo, fakeMonitors(), { clock });
  t.teardown(async () => {
    let isOver = false;
    const stopped = side.stop().finally(() => {
      isOver = true;
    });
    await waitFor('the control plane to stop', 30_000, () => clock.advance(500).then(() => isOver), 10);
    await stopped;
  });
  return { side, clock };
}

const targetOf = (side: NodeSide) => ({ host: '127.0.0.1', port: Number(side.address.split(':')[1]) });

/** Opens a connection from this address, without waiting until the control plane has accepted it. */
function openSocket(side: NodeSide, localAddress: string): Socket {
  // A socket that nobody reads does not notice its end.
  return connect({ ...targetOf(side), localAddress })
    .on('error', () => {})
    .resume();
}

async function handshake(side: NodeSide, protocols: string[]): Promise<Socket> {
  const socket = connectTls({ ...targetOf(side), rejectUnauthorized: false, ALPNProtocols: protocols });
  await once(socket, 'secureConnect');
  return socket.on('error', () => {}).resume();
}

async function openSession(side: NodeSide): Promise<ClientHttp2Session> {
  const session = connectHttp2(`https://${side.address}`, { rejectUnauthorized: false });
  await once(session, 'remoteSettings');
  return session.on('error', () => {});
}

/** Returns a function that tells whether the connection has ended. */
function watchEnd(connection: { on(event: 'close', run: () => void): unknown }): () => boolean {
  let ended = false;
  connection.on('close', () => {
    ended = true;
  });
  return () => ended;
}

const connectHeaders = (authorization: string) => ({
  ...{ ':method': 'POST', ':path': '/picket.link.v1.NodeLink/Connect' },
  ...{ 'content-type': 'application/grpc', te: 'trailers', authorization },
});

function enrol(client: NodeLinkClient, token: string): Promise<ServiceError | null> {
  return new Promise((resolve) => client.enrol({ token, version: '1', hostname: 'h' }, (error) => resolve(error)));
}

t.test('a connection without a valid first message ends, the less far it got the earlier', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const stranger = await openSession(side);
  stranger.request(connectHeaders('nothing'));
  const silent = await node.open({ hello: false });
  const part = openSocket(side, '127.0.0.1').on('connect', () => part.write(Buffer.from([0x16, 0x03, 0x01])));
  const noByte = openSocket(side, '127.0.0.1');
  await Promise.all([part, noByte].map((socket) => once(socket, 'connect')));
  const ends = [
    { ms: 2_000, what: 'no byte', hasEnded: watchEnd(noByte) },
    { ms: 2_000, what: 'a part of the first record', hasEnded: watchEnd(part) },
    { ms: 5_000, what: 'TLS only', hasEnded: watchEnd(await handshake(side, ['h2'])) },
    { ms: 5_000, what: 'HTTP/2 without a call', hasEnded: watchEnd(await openSession(side)) },
    { ms: WAITING_MS, what: 'a call without a credential', hasEnded: watchEnd(stranger) },
    { ms: WAITING_MS, what: 'a valid credential without a Hello', hasEnded: silent.isOver },
  ];
  for (const ms of [2_000, 5_000, WAITING_MS]) {
    await clock.advance(ms - 1 - clock.monotonic());
    for (const one of ends) if (one.ms >= ms) t.notOk(one.hasEnded(), `${one.what}: not earlier`);
    await clock.advance(1);
    for (const one of ends) if (one.ms === ms) await waitFor(`the end of: ${one.what}`, 30_000, one.hasEnded, 10);
  }
});

t.test('what does not begin with a handshake of TLS ends at once', async (t) => {
  const { side } = await start(t);
  for (const text of ['GET / HTTP/1.1\r\n', '\u0016\u0003\u0001\u00ff\u00ff']) {
    const socket = openSocket(side, '127.0.0.1');
    socket.write(Buffer.from(text, 'latin1'));
    await waitFor(`the end of: ${text.slice(0, 3)}`, 30_000, watchEnd(socket), 10);
  }
  const inParts = connect(targetOf(side));
  const split = connectTls({ socket: inParts, rejectUnauthorized: false, ALPNProtocols: ['h2'] });
  await once(split, 'secureConnect');
  split.destroy();
});

t.test('the connection of a node stays, and ends 10 s after its stream', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const session = await openSession(side);
  const stream = session.request(connectHeaders(`Bearer ${node.credential}`));
  // FromNode {hello: {protocol: 1}}, with the five bytes of gRPC before it.
  stream.write(Buffer.from([0, 0, 0, 0, 4, 0x0a, 2, 0x18, 1]));
  await once(stream, 'data');
  const hasEnded = watchEnd(session);
  await clock.advance(WAITING_MS + 1);
  t.notOk(stream.closed, 'the stream is open');
  t.notOk(hasEnded());
  stream.end();
  stream.resume();
  await once(stream, 'close');
  await clock.advance(0);
  t.notOk(hasEnded(), 'the node may open another stream');
  await clock.advance(WAITING_MS);
  await waitFor('the end of the connection', 30_000, hasEnded, 10);
});

t.test('at most 1,000 silent connections wait, and one address does not keep out others', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const crowd = Array.from({ length: SILENT_MAX + 50 }, () => openSocket(side, '127.0.0.2'));
  const ended = crowd.map(watchEnd);
  const endedCount = () => ended.filter((hasEnded) => hasEnded()).length;
  await waitFor('the end of those above the limit', 30_000, () => endedCount() === 50, 10);
  const stream = await node.connect();
  await waitFor('the end of those that made place', 30_000, () => endedCount() > 50, 10);
  t.ok(endedCount() <= 52, `a place for the certificate and one for the stream: ${endedCount()}`);
  await clock.advance(2_000);
  await waitFor('the end of the crowd', 30_000, () => endedCount() === crowd.length, 10);
  t.notOk(stream.isOver(), 'the node is still connected');
  stream.end();
});

t.test('silent connections from as many addresses as there are places keep no node out', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const crowd = Array.from({ length: SILENT_MAX }, (_, index) =>
    openSocket(side, `127.1.${index >> 8}.${index & 255}`),
  );
  const ended = crowd.map(watchEnd);
  await Promise.all(crowd.map((socket) => (socket.connecting ? once(socket, 'connect') : null)));
  await clock.advance(250);
  const stream = await node.connect();
  t.ok(ended.filter((hasEnded) => hasEnded()).length <= 2, 'the node takes a place of them');
  t.notOk(stream.isOver());
  stream.end();
});

t.test('at most 100 connections have begun, and those that stopped long ago make room', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const crowd = await Promise.all(Array.from({ length: BEGUN_MAX }, () => handshake(side, ['h2'])));
  const ended = crowd.map(watchEnd);
  const endedCount = () => ended.filter((hasEnded) => hasEnded()).length;
  await clock.advance(250);
  const further = watchEnd(connectTls({ ...targetOf(side), rejectUnauthorized: false }).on('error', () => {}));
  await waitFor('the end of one more', 30_000, further, 10);
  t.equal(endedCount(), 0, 'the first ones stay');
  await clock.advance(3_000);
  const stream = await node.connect();
  await waitFor('the end of those that made place', 30_000, () => endedCount() > 0, 10);
  t.ok(endedCount() <= 2, `a place for the certificate and one for the stream: ${endedCount()}`);
  stream.end();
});

t.test('connections that end give their places back', async (t) => {
  const { side } = await start(t);
  for (let count = 0; count < BEGUN_MAX; count++) {
    (await handshake(side, ['h2'])).destroy();
    (await openSession(side)).destroy();
  }
  const last = await openSession(side);
  const hasEnded = watchEnd(last);
  const others: (() => boolean)[] = [];
  for (let count = 1; count < BEGUN_MAX; count++) others.push(watchEnd(await handshake(side, ['h2'])));
  t.notOk(hasEnded() || others.some((hasOtherEnded) => hasOtherEnded()), 'there is a place for each');
});

t.test('a connection that sends much before its first valid message ends', async (t) => {
  const { side, clock } = await start(t);
  const node = await side.enrol('fra');
  const send = async (bytes: number) => {
    const session = await openSession(side);
    const stream = session.request(connectHeaders(`Bearer ${node.credential}`));
    stream.on('error', () => {});
    // The beginning of a message of 900 KB.
    stream.write(Buffer.concat([Buffer.from([0, 0, 0x0d, 0xbb, 0xa0]), Buffer.alloc(bytes)]));
    return watchEnd(session);
  };
  const hasLittleEnded = await send(30_000);
  const hasMuchEnded = await send(200_000);
  const look = async () => {
    await clock.advance(250);
    return hasMuchEnded();
  };
  await waitFor('the end', 30_000, look, 10);
  t.ok(clock.monotonic() < WAITING_MS, 'before its time is over');
  t.notOk(hasLittleEnded());
});

t.test('a connection without a valid credential makes four calls', async (t) => {
  const { side } = await start(t);
  const client = await openClient(side.address, side.authority.fingerprint);
  t.teardown(() => client.close());
  const rotate = () =>
    new Promise<number | undefined>((resolve) =>
      client.rotate({}, (error: ServiceError | null) => resolve(error?.code)),
    );
  for (let call = 0; call < 4; call++) t.equal(await rotate(), status.UNAUTHENTICATED);
  t.equal(await rotate(), status.RESOURCE_EXHAUSTED);
  t.match(await enrol(client, readJoinToken(await side.token('fra')).secret), { code: status.RESOURCE_EXHAUSTED });
  const end = await new Promise((resolve) => client.connect().on('error', resolve));
  t.match(end, { code: status.RESOURCE_EXHAUSTED });
});

t.test('an address guesses 30 join tokens a minute', async (t) => {
  const { side, clock } = await start(t);
  const guess = async (token: string) => {
    const client = await openClient(side.address, side.authority.fingerprint);
    return enrol(client, token).finally(() => client.close());
  };
  await clock.advance(60_000 - (clock.now() % 60_000));
  const token = await side.token('fra');
  t.ok(await enrolNode(token), 'a right token does not count');
  for (let count = 0; count < 29; count++) t.match(await guess(`wrong-${count}`), { code: status.UNAUTHENTICATED });
  t.match(await guess('y'.repeat(5_000)), { code: status.UNAUTHENTICATED }, 'an overlong one counts too');
  const next = await side.token('fra');
  const refused = { code: status.RESOURCE_EXHAUSTED, details: /too many wrong join tokens. Retry in 60 s/ };
  t.match(await guess('wrong'), refused);
  t.match(await guess(readJoinToken(next).secret), refused, 'a right one is not tried either');
  await clock.advance(60_000);
  t.ok(await enrolNode(next), 'in the next minute');
});
