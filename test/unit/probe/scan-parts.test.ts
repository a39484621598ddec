import { createServer } from 'node:net';
import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { systemRandom } from '../../../kernel/random.js';
import { createTlsContexts } from '../../../probe/checks/tls/contexts.js';
import { clientHello, readServerHello } from '../../../probe/scan/client-hello.js';
import { cookiesOf } from '../../../probe/scan/cookies.js';
import { mixedContent } from '../../../probe/scan/mixed-content.js';
import { createScan } from '../../../probe/scan/scan.js';

t.test('cookies are split where a name follows, and their values are dropped', async (t) => {
  const header = 'a=secret; Expires=Wed, 21 Oct 2037 07:28:00 GMT; Secure, b="x, y"; HttpOnly; SameSite=Strict, c=1';
  t.strictSame(cookiesOf([header, 'd=1;samesite=None']), [
    { name: 'a', secure: true, httpOnly: false, sameSite: '' },
    { name: 'b', secure: false, httpOnly: true, sameSite: 'strict' },
    { name: 'c', secure: false, httpOnly: false, sameSite: '' },
    { name: 'd', secure: false, httpOnly: false, sameSite: 'none' },
  ]);
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
