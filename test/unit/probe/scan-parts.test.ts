import { createServer } from 'node:net';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { createDeadline, type Deadline } from '../../../probe/checks/deadline.js';
import { parseHead } from '../../../probe/checks/http/head.js';
import { createTlsContexts } from '../../../probe/checks/tls/contexts.js';
import type { ScanClient } from '../../../probe/scan/client.js';
import { clientHello, readServerHello } from '../../../probe/scan/client-hello.js';
import { cookiesOf } from '../../../probe/scan/cookies.js';
import { findExposedFiles } from '../../../probe/scan/exposed-files.js';
import { mixedContent } from '../../../probe/scan/mixed-content.js';
import { findOpenPorts } from '../../../probe/scan/ports.js';
import { createScan } from '../../../probe/scan/scan.js';
import { freePort } from '../../helpers/machine/ports.js';

t.test('the names of cookies leave the probe, and no part of their values', async (t) => {
  const { setCookies, headers } = parseHead(
    [
      'HTTP/1.1 200 OK',
      'Set-Cookie: a=secret; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Secure',
      'set-cookie: b="x, y"; HttpOnly; SameSite=Strict',
      'Set-Cookie: sid=abc,c2VjcmV0=;samesite=None',
      'Set-Cookie: a-whole-secret; Secure',
      'Set-Cookie: =another-secret',
      'Set-Cookie: c=folded;',
      ' Secure',
    ].join('\r\n'),
  );
  t.notOk(headers.has('set-cookie'));
  t.strictSame(cookiesOf(setCookies), [
    { name: 'a', secure: true, httpOnly: false, sameSite: '' },
    { name: 'b', secure: false, httpOnly: true, sameSite: 'strict' },
    { name: 'sid', secure: false, httpOnly: false, sameSite: 'none' },
    { name: 'c', secure: true, httpOnly: false, sameSite: '' },
  ]);
});

/** Connects to `address`, and ends the attempt at once as if `timeoutMs` had passed; null lets it take its time. */
function portClient(address: string, timeoutMs: number | null): ScanClient {
  return {
    address: () => address,
    get: () => Promise.reject(new Error('not used')),
    connect: (port, ms, attempt) => {
      const deadline = createDeadline(systemClock, timeoutMs ?? ms, new AbortController().signal);
      const onStop: Deadline['onStop'] = (listener) => (timeoutMs === null ? undefined : listener?.('timeout'));
      const target = { host: address, address, port, connectingSinceMs: 0, connectMsMax: null };
      return attempt({ ...target, checkReached: () => null }, { ...deadline, onStop }).finally(() => deadline.close());
    },
  };
}

t.test('a port is closed only if the network says so or nothing answers for 3 s', async (t) => {
  const port = await freePort();
  const stateOf = async (address: string, timeoutMs: number | null) =>
    (await findOpenPorts(portClient(address, timeoutMs), [port]))[0]?.state;
  t.equal(await stateOf('127.0.0.1', null), 'closed', 'refused');
  t.equal(await stateOf('255.255.255.255', null), 'unknown', 'ENETUNREACH is an error of the probe');
  t.equal(await stateOf('127.0.0.1', 3_000), 'closed');
  t.equal(await stateOf('127.0.0.1', 20), 'unknown', 'the time of the scan was nearly over');
});

/** Returns the outcomes of the files of a website that answers each path with what `answer` returns. */
async function outcomes(answer: (path: string) => { status: number; body?: string }): Promise<Record<string, string>> {
  const client: ScanClient = {
    ...portClient('127.0.0.1', null),
    async get({ pathname }) {
      const { status, body = '' } = answer(pathname);
      return { head: { status, headers: new Map(), setCookies: [] }, body: Buffer.from(body) };
    },
  };
  const files = await findExposedFiles(client, new URL('https://shop.example/'), systemRandom);
  return Object.fromEntries(files.map(({ path = '', outcome = '' }) => [path, outcome]));
}

t.test('a rate limit, an error and a firewall say nothing about a file', async (t) => {
  for (const status of [429, 500, 503, 403]) {
    const found = await outcomes(() => ({ status }));
    t.strictSame([...new Set(Object.values(found))], ['unknown'], `${status} for all paths`);
  }
  t.strictSame([...new Set(Object.values(await outcomes(() => ({ status: 404 }))))], ['absent']);
  const refused = await outcomes((path) => ({ status: path === '/.env' ? 403 : 404 }));
  t.match(refused, { '/.env': 'absent' }, 'only this path is refused');
  const limited = await outcomes((path) => (path === '/.env' ? { status: 200, body: 'APP_KEY=x' } : { status: 429 }));
  t.match(limited, { '/.env': 'unknown' }, 'without an answer for a random path, nothing is certain');
  const exposed = await outcomes((path) => (path === '/.env' ? { status: 200, body: 'APP_KEY=x' } : { status: 404 }));
  t.match(exposed, { '/.env': 'exposed' });
});

t.test('only what a page loads is mixed content', async (t) => {
  const html = `<SCRIPT async SRC='http://a.example/x.js?secret=1'></script><link href="http://b.example/" rel="canonical">
    <link rel="stylesheet" href="http://c.example/c.css"><a href="http://d.example/">d</a><img src=http://e.example/e.png>
    <img src="https://f.example/"><form action="http://g.example/login"><img src="http://unfinished.example/`;
  t.strictSame(mixedContent(html), {
    active: ['http://a.example/x.js', 'http://c.example/c.css', 'http://g.example/login'],
    passive: ['http://e.example/e.png'],
  });
});

t.test('a ServerHello is read from any number of bytes, and everything else is a refusal', async (t) => {
  const hello = Buffer.alloc(80);
  hello.set([22, 3, 1, 0, 70, 2, 0, 0, 66, 3, 2]);
  hello[43] = 0;
  hello.writeUInt16BE(0xc013, 44);
  t.equal(readServerHello(hello.subarray(0, 20)), null);
  t.strictSame(readServerHello(hello), { version: 0x0302, suite: 0xc013 });
  t.equal(readServerHello(Buffer.from([21, 3, 1, 0, 2, 2, 40])), 'refused', 'an alert');
  t.equal(readServerHello(Buffer.from('HTTP/1.1 400')), 'refused');
  const sent = clientHello({ version: 0x0301, suites: [5], servername: 'a.example', random: Buffer.alloc(32) });
  t.equal(sent.readUInt16BE(3), sent.length - 5, 'the length of the record');
  t.ok(sent.includes('a.example'));
});

const scanner = (allowPrivate: boolean) =>
  createScan({
    guard: createTargetGuard({ allowPrivate }),
    resolver: { literal: (host) => host, resolve: async () => [] },
    clock: systemClock,
    random: systemRandom,
    tlsContexts: createTlsContexts(null),
    userAgent: 'Picket/test',
  });

t.test('a scan opens at most 40 connections, and none to a private address unless that is allowed', async (t) => {
  let connections = 0;
  const server = createServer((socket) => {
    connections++;
    socket.on('error', () => {});
    socket.on('data', () => socket.end('HTTP/1.1 302 Found\r\nLocation: /again\r\nContent-Length: 0\r\n\r\n'));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => server.close());
  const url = `http://127.0.0.1:${(server.address() as { port: number }).port}/`;
  const task = { scanId: 'scn_1', attempt: 1, url, timeoutMs: 60_000 };
  const refused = await scanner(false)(task, new AbortController().signal);
  t.match(refused, { scanId: 'scn_1', errorCode: 'blocked_target', connections: 0 });
  t.equal(connections, 0);
  const result = await scanner(true)(task, new AbortController().signal);
  t.ok((result.connections ?? 99) <= 40 && connections <= 40);
  t.match(result.page, { status: 302 }, 'redirects end');
});
