import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { Socket } from 'node:net';
import v8 from 'node:v8';
import zlib, { type Gunzip } from 'node:zlib';
import t, { type Test } from 'tap';
import { BODY_BYTES_MAX, decompressed } from '../../../probe/checks/http/body-text.js';
import { HEAD_BYTES_MAX } from '../../../probe/checks/http/head.js';
import { createResponseReader, type HttpResponse } from '../../../probe/checks/http/response.js';
import { HOSTILE, withTarget } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';

const MIB = 1024 * 1024;
/** The most that a socket reads, or a decoder writes, at once. */
const PIECE_BYTES_MAX = 64 * 1024;
/** More than the heads that the targets send before their bodies. */
const HEAD_BYTES_OF_TARGET = 1_024;

const checker = testChecker();
t.teardown(() => checker.close());

/** Collects the sockets of all connections that this process opens during the test. */
function clientSockets(t: Test): Socket[] {
  const sockets: Socket[] = [];
  const collect = (message: unknown) => void sockets.push(Object(message).socket);
  subscribe('net.client.socket', collect);
  t.teardown(() => unsubscribe('net.client.socket', collect));
  return sockets;
}

t.test('of an answer without end, a check reads only what it needs, and ends with the right code', async (t) => {
  const cases: [keyof typeof HOSTILE, string, number, { keyword?: string }?][] = [
    ['endlessHeaders', 'response_too_large', HEAD_BYTES_MAX],
    ['endlessLine', 'response_too_large', HEAD_BYTES_MAX],
    ['endlessContinue', 'response_too_large', HEAD_BYTES_MAX],
    ['endlessBody', 'up', 2 * MIB],
    ['endlessBody', 'response_too_large', 2 * MIB, { keyword: 'not there' }],
    ['endlessBody', 'up', 2 * MIB, { keyword: 'picket' }],
    ['endlessChunks', 'up', 3 * MIB],
    ['endlessChunks', 'response_too_large', 3 * MIB, { keyword: 'not there' }],
    ['gzipBomb', 'response_too_large', 2 * MIB, { keyword: 'not there' }],
    ['gzipBomb', 'up', 2 * MIB],
    ['redirectLoop', 'too_many_redirects', 11 * 1024],
  ];
  const sockets = clientSockets(t);
  for (const [name, code, bytesMax, options = {}] of cases) {
    await withTarget(HOSTILE[name], async (target) => {
      sockets.length = 0;
      const what = `${name}${options.keyword ? ', keyword' : ''}`;
      const { error } = await checker.http(target.url, options);
      t.equal(error?.code ?? 'up', code, `${what}: ${error?.message ?? 'up'}`);
      const bytes = sockets.reduce((sum, socket) => sum + socket.bytesRead, 0);
      t.ok(
        sockets.every(({ destroyed }) => destroyed),
        `${what}: its connections are closed`,
      );
      t.ok(
        bytes > 0 && bytes <= bytesMax + HEAD_BYTES_OF_TARGET + PIECE_BYTES_MAX,
        `${what}: ${bytes} bytes were read`,
      );
    });
  }
});

t.test('a body in pieces of one byte is kept as one block, and no piece is kept', async (t) => {
  const reader = createResponseReader('GET', () => 'keep');
  const pieces = Buffer.from('1\r\nx\r\n'.repeat(10_000));
  const before = liveBuffers();
  let response: HttpResponse | null = reader.feed(Buffer.from('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'));
  for (let fed = 0; fed < 4; fed++) response ??= reader.feed(pieces);
  t.ok(liveBuffers() - before < 100, 'after 40,000 pieces');
  // The caller may use its buffer again.
  pieces.fill(0);
  response ??= reader.feed(Buffer.from('0\r\n\r\n'));
  t.equal(response?.body.toString('latin1'), 'x'.repeat(40_000));
  t.ok((response?.body.buffer.byteLength ?? 0) <= 2 * 40_000, 'in a block of at most twice its size');
});

/** Returns how many buffers the process has, after a collection of all garbage. */
function liveBuffers(): number {
  return v8.queryObjects(Buffer, { format: 'count' });
}

t.test('of a compressed bomb, no more than 2 MiB are decompressed', async (t) => {
  let written = 0;
  const gunzip: Gunzip = Object.getPrototypeOf(zlib.createGunzip());
  const { push } = gunzip;
  gunzip.push = function (chunk, encoding) {
    written += chunk?.length ?? 0;
    return push.call(this, chunk, encoding);
  };
  t.teardown(() => {
    gunzip.push = push;
  });
  const bomb = zlib.gzipSync(Buffer.alloc(64 * MIB));
  const head = { status: 200, headers: new Map([['content-encoding', 'gzip']]), setCookies: [] };
  const body = await decompressed({ bytes: bomb, truncated: false }, head);
  t.ok(body.truncated);
  t.equal(body.bytes.length, BODY_BYTES_MAX);
  t.ok(written > BODY_BYTES_MAX && written <= BODY_BYTES_MAX + PIECE_BYTES_MAX, `${written} bytes`);
});
