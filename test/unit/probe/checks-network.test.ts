import { execFileSync } from 'node:child_process';
import { closeSync, mkdtempSync, openSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import t from 'tap';
import { canonicalHost, createTargetGuard, type TargetGuard } from '../../../kernel/guard/target-guard.js';
import { parseHost, parseHostPort } from '../../../probe/checks/target.js';
import { createResolver } from '../../../probe/resolve.js';
import { testClock } from '../../helpers/clock.js';
import { answering, HOSTILE, startFullServer, startTarget } from '../../helpers/probe/targets.js';
import { testChecker } from '../../helpers/probe/targets-checker.js';
import { type DnsAnswer, startDnsServer } from '../../helpers/probe/targets-dns.js';
import { standingClock } from '../../helpers/standing-clock.js';
import { waitFor } from '../../helpers/wait.js';

/** No test can listen on this port, while another test may take the port of a closed target. */
const REFUSING = '127.0.0.1:1';
/** An address of this machine on which no other test listens. */
const OTHER_LOOPBACK = '127.0.0.77';

const checker = testChecker();
t.teardown(() => checker.close());

t.test('an error inside the probe says nothing about the target', async (t) => {
  const broken = testChecker({
    guard: {
      refusal() {
        throw new TypeError('an error in our own code');
      },
      hostRefusal: () => null,
      report: () => {},
    },
  });
  t.teardown(() => broken.close());
  t.match(await broken.tcp('127.0.0.1:1'), { inconclusive: true });
  const sound = testChecker();
  t.teardown(() => sound.close());
  t.equal((await sound.tcp('127.0.0.1:1')).inconclusive, undefined);
});

t.test('tcp: up if a connection is established; nothing is sent', async (t) => {
  const target = await startTarget(HOSTILE.silent);
  for (const url of [`127.0.0.1:${target.port}`, `tcp://127.0.0.1:${target.port}`, `localhost:${target.port}`]) {
    const outcome = await checker.tcp(url);
    t.match(outcome, { up: true, error: null, httpStatus: null, address: '127.0.0.1' }, url);
    t.match(outcome.timings, { connectMs: Number, tlsMs: null, ttfbMs: null, transferMs: null });
    t.equal(outcome.timings.dnsMs === null, !url.startsWith('localhost'), 'only a name is resolved');
  }
  t.same(target.requests, []);
  await target.close();
  const refused = await checker.tcp(REFUSING);
  t.match(refused, {
    up: false,
    error: { code: 'connection_refused', message: / refused the connection after \d+ ms$/ },
  });
  const six = await startTarget(HOSTILE.silent, '::1');
  t.match(await checker.tcp(`[::1]:${six.port}`), { up: true, address: '::1' });
  await six.close();
});

t.test('tcp: a target that does not answer times out', async (t) => {
  // The queue of a server that accepts nothing is full, so further connections get no response.
  const { full, close } = await startFullServer();
  // The system gives up after minutes, with a message that does not name the timeout.
  const outcome = await checker.tcp(`127.0.0.1:${full}`, 400);
  t.match(outcome, {
    up: false,
    error: { code: 'connect_timeout', message: `127.0.0.1:${full} did not accept the connection within 400 ms` },
  });
  t.match(await checker.http(`http://127.0.0.1:${full}/`, {}, 400), { error: { code: 'connect_timeout' } });
  await close();
});

t.test('targets are parsed in every notation', async (t) => {
  t.same(parseHostPort('example.com:443'), { host: 'example.com', port: 443 });
  t.same(parseHostPort('tcp://[2001:db8::1]:53'), { host: '2001:db8::1', port: 53 });
  t.same(parseHostPort('EXAMPLE.com:1'), { host: 'example.com', port: 1 });
  for (const text of [
    'example.com',
    'example.com:0',
    'example.com:65536',
    '::1:80',
    ':80',
    'http://a:80',
    'a:80/x',
    'u@a:80',
    'a b:80',
  ]) {
    t.equal(parseHostPort(text), null, text);
  }
  t.equal(parseHost('[::1]'), '::1');
  t.equal(parseHost('müller.example'), 'xn--mller-kva.example');
  t.equal(parseHost('0x7f.1'), '127.0.0.1');
  t.equal(parseHost('a:80'), null);
  t.equal(parseHost('1.2.3.4:80'), null);
  t.equal(canonicalHost('example.com:80'), null, 'a port is not part of a host');
  for (const url of ['x', 'host:99999']) t.match(await checker.tcp(url), { error: { code: 'protocol_error' } }, url);
  t.match(await checker.ping('a b'), { error: { code: 'protocol_error' } });
});

t.test('names are resolved by the configured name servers, A and AAAA, IPv4 first', async (t) => {
  const answers: Record<string, DnsAnswer> = {
    'both.test': ['127.0.0.1', '::1'],
    'six.test': ['::1'],
    'gone.test': 'NXDOMAIN',
    'empty.test': 'NOTHING',
    'sick.test': 'SERVFAIL',
    'shut.test': 'REFUSED',
    'mute.test': 'SILENCE',
  };
  const dns = await startDnsServer((name) => answers[name] ?? 'NXDOMAIN');
  const named = testChecker({ dnsServers: [dns.address], hostsPath: '/nowhere' });
  const four = await startTarget(answering('four'));
  const outcome = await named.http(`http://both.test:${four.port}/`);
  t.match(outcome, { up: true, address: '127.0.0.1' });
  t.ok((outcome.timings.dnsMs ?? 0) > 0);
  t.match(four.requests[0], `\r\nHost: both.test:${four.port}\r\n`);
  // A query that the machine held up is repeated.
  t.same([...new Set(dns.questions.map((each) => each.type))].sort(), ['A', 'AAAA']);
  t.equal((await named.http(`http://both.test.:${four.port}/`)).up, true, 'a dot at the end is accepted');
  const messages: [string, RegExp][] = [
    ['gone.test', /^"gone\.test" does not exist \(.*NXDOMAIN\)$/],
    ['empty.test', /^"empty\.test" exists but has no IPv4 or IPv6 address$/],
    ['sick.test', /answered SERVFAIL/],
    ['shut.test', /refused to answer \(REFUSED\)$/],
    [`${'x'.repeat(64)}.test`, /is not a valid host name$/],
  ];
  for (const [name, message] of messages) {
    for (const outcome of [await named.tcp(`${name}:1`), await named.ping(name), await named.http(`http://${name}/`)]) {
      t.match(outcome, { up: false, address: null, error: { code: 'dns_failure', message } }, name);
    }
  }
  t.match(await named.tcp('mute.test:1', 300), {
    error: { code: 'dns_failure', message: /no name server answered for "mute\.test" within 300 ms/ },
  });
  await four.close();
  named.close();
  await dns.close();
});

/** A full port of 127.0.0.1, and a target on the same port of ::1. */
async function startFullBesideLate() {
  for (;;) {
    const { full, close } = await startFullServer();
    // Another test may have that port of ::1.
    const late = await startTarget(answering('late'), '::1', full).catch(() => null);
    if (late !== null) return { full, close, late };
    await close();
  }
}

const FIRST: Record<string, string> = { 'both.test': OTHER_LOOPBACK, 'full.test': '127.0.0.1' };

t.test('the other family is tried if the first one accepts no connection', async (t) => {
  const dns = await startDnsServer((name) => [FIRST[name] ?? [], '::1'].flat());
  const clock = standingClock();
  const named = testChecker({ dnsServers: [dns.address], hostsPath: '/nowhere', clock });
  const six = await startTarget(answering('six'), '::1');
  for (const outcome of [await named.http(`http://both.test:${six.port}/`), await named.tcp(`both.test:${six.port}`)]) {
    t.match(outcome, { up: true, address: '::1' });
  }
  t.match(await named.ping('six.test'), { up: true, address: '::1' });
  await six.close();
  t.match(
    await named.tcp('both.test:1'),
    { error: { code: 'connection_refused', message: /^127\.0\.0\.77:/ } },
    'the check fails with the first failure',
  );
  const { full, close, late } = await startFullBesideLate();
  const check = named.http(`http://full.test:${full}/`, {}, 4_000);
  await waitFor('the first attempt', 20_000, () => clock.delays.includes(2_000), 5);
  await clock.advance(2_000);
  t.match(await check, { up: true, address: '::1' }, 'an address that does not answer leaves time for the other');
  await late.close();
  await close();
  named.close();
  await dns.close();
});

t.test('a family without an answer does not delay the other', async (t) => {
  const dns = await startDnsServer((_, type) => (type === 'A' ? ['127.0.0.1'] : 'SILENCE'));
  const clock = standingClock();
  const resolver = createResolver({
    clock,
    servers: [dns.address],
    hostsPath: '/nowhere',
    resolvConfPath: '/nowhere',
  });
  const found: string[] = [];
  const resolved = resolver.resolve('slow-six.test').then((addresses) => found.push(...addresses));
  await waitFor('the answer of the first family', 20_000, () => clock.delays.length > 0, 5);
  t.same(clock.delays, [50], 'the resolution delay of RFC 8305');
  await clock.advance(50);
  t.same(found, ['127.0.0.1'], 'without waiting for the end of the other query');
  await resolved;
  await t.rejects(resolver.resolve(''), { name: 'NameError' });
  await dns.close();
});

t.test('names are resolved while every thread of the pool is busy', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'picket-threads-'));
  const pipes = Array.from({ length: 4 }, (_, index) => join(directory, `pipe${index}`));
  execFileSync('mkfifo', pipes);
  // Opening a pipe blocks a thread until another process opens it for writing.
  const opening = pipes.map((pipe) => open(pipe, 'r'));
  const dns = await startDnsServer(() => ['127.0.0.1']);
  const named = testChecker({ dnsServers: [dns.address], hostsPath: '/nowhere' });
  const target = await startTarget(answering('x'));
  t.equal((await named.http(`http://busy.test:${target.port}/`, { keyword: 'x' })).up, true);
  for (const pipe of pipes) closeSync(openSync(pipe, 'w'));
  for (const file of await Promise.all(opening)) await file.close();
  rmSync(directory, { recursive: true });
  named.close();
  await target.close();
  await dns.close();
});

t.test('the hosts file takes precedence and is read again after a change', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'picket-hosts-'));
  const hostsPath = join(directory, 'hosts');
  writeFileSync(
    hostsPath,
    '# comment\n::1 fixed.test other.test other.test\n127.0.0.9 Fixed.TEST # tail\nnonsense fixed.test\n',
  );
  const clock = testClock();
  const dns = await startDnsServer(() => 'NXDOMAIN');
  const resolver = createResolver({ clock, servers: [dns.address], hostsPath, resolvConfPath: '/nowhere' });
  t.same(await resolver.resolve('fixed.test'), ['127.0.0.9', '::1'], 'IPv4 first');
  t.same(await resolver.resolve('OTHER.test.'), ['::1'], 'a repeated name has the address once');
  writeFileSync(hostsPath, '127.0.0.8 fixed.test\n');
  utimesSync(hostsPath, new Date(), new Date(Date.now() + 5000));
  t.same(await resolver.resolve('fixed.test'), ['127.0.0.9', '::1'], 'not checked again within 5 s');
  await clock.advance(5000);
  t.same(await resolver.resolve('fixed.test'), ['127.0.0.8']);
  rmSync(hostsPath);
  await clock.advance(5000);
  await t.rejects(resolver.resolve('fixed.test'), { name: 'NameError' }, 'not in the file any more');
  t.same(await resolver.resolve('localhost'), ['127.0.0.1', '::1'], 'localhost needs no file');
  t.same(await resolver.resolve('a.localhost'), ['127.0.0.1', '::1']);
  t.ok(
    dns.questions.every((each) => each.name === 'fixed.test'),
    'and no query',
  );
  rmSync(directory, { recursive: true });
  await dns.close();
});

t.test('if private targets are not allowed, the probe never connects to one', async (t) => {
  const trap = await startTarget(answering('trapped'));
  const trapSix = await startTarget(answering('trapped'), '::1');
  const answers: Record<string, string[]> = {
    'private.test': ['127.0.0.1'],
    'mixed.test': ['192.0.2.1', '127.0.0.1'],
    'six.test': ['::1'],
    'mapped.test': ['::ffff:127.0.0.1'],
    'metadata.test': ['169.254.169.254'],
  };
  const dns = await startDnsServer((name) => answers[name] ?? 'NXDOMAIN');
  const reported: string[] = [];
  const log = (host: string, refusal: string) => void reported.push(`${host}: ${refusal}`);
  const guarded = testChecker({ guard: createTargetGuard({ allowPrivate: false, log }), dnsServers: [dns.address] });
  const hosts = [
    '127.0.0.1',
    '2130706433',
    '0x7f000001',
    '0x7f.1',
    '017700000001',
    '127.1',
    '0.0.0.0',
    '0',
    'localhost',
    'LOCALHOST.',
    '[::1]',
    '[::]',
    '[::ffff:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[2002:7f00:1::]',
    '169.254.169.254',
    '[fd00:ec2::254]',
    '10.0.0.1',
    '100.64.0.1',
    '192.168.0.1',
    '172.16.0.1',
    '224.0.0.1',
    '255.255.255.255',
    '１２７.0.0.1',
    ...Object.keys(answers),
  ];
  for (const host of hosts) {
    const outcomes = [
      await guarded.http(`http://${host}:${trap.port}/`),
      await guarded.http(`https://${host}:${trapSix.port}/`),
      await guarded.tcp(`${host}:${trap.port}`),
      await guarded.ping(host),
    ];
    for (const outcome of outcomes)
      t.match(outcome, { up: false, address: null, error: { code: 'blocked_target' } }, host);
  }
  t.equal(trap.connections() + trapSix.connections(), 0, 'no connection was made');
  const { error } = await guarded.http('http://private.test/');
  t.equal(
    error?.message,
    '"private.test" points to an address that is not allowed',
    'it does not say which address a name has',
  );
  t.ok(reported.includes('private.test: 127.0.0.1 is a loopback address'), 'the log of the probe says it');
  await trap.close();
  await trapSix.close();
  guarded.close();
  await dns.close();
});

/** The real guard, except that it allows one loopback address, because the tests have no other network. */
function guardThatAllows(allowed: string): TargetGuard {
  const real = createTargetGuard({ allowPrivate: false });
  return { ...real, refusal: (address) => (address === allowed ? null : real.refusal(address)) };
}

t.test('rebinding of a name and a redirect into the private network are blocked', async (t) => {
  const trap = await startTarget(answering('trapped'));
  const front = await startTarget((socket, request) => {
    const location =
      request.split(' ')[1] === '/again' ? `http://rebinding.test:${front.port}/` : `http://127.0.0.1:${trap.port}/`;
    answering('', { status: '302 Found', headers: { location } })(socket, request);
  }, '127.0.0.2');
  const dns = await startDnsServer((name, _, before) =>
    name === 'rebinding.test' && before > 0 ? ['169.254.169.254'] : ['127.0.0.2'],
  );
  const guarded = testChecker({
    guard: guardThatAllows('127.0.0.2'),
    dnsServers: [dns.address],
    hostsPath: '/nowhere',
  });
  t.match(
    await guarded.http(`http://rebinding.test:${front.port}/again`),
    {
      up: false,
      error: {
        code: 'blocked_target',
        message: '"rebinding.test" points to an address that is not allowed',
      },
    },
    'the first hop reached the allowed address, the second one was refused',
  );
  t.equal(front.connections(), 1);
  t.match(await guarded.http(`http://stable.test:${front.port}/`), {
    error: { code: 'blocked_target', message: '"127.0.0.1" points to an address that is not allowed' },
  });
  t.match(await guarded.tcp(`rebinding.test:${front.port}`), { error: { code: 'blocked_target' } });
  t.equal(trap.connections(), 0);
  guarded.close();
  for (const target of [trap, front, dns]) await target.close();
});

t.test('the guard also checks the address of the connection', async (t) => {
  const target = await startTarget(answering('x'), '::1');
  // This guard allows only one notation of the address, so the address of the connection seems to be another one.
  const reported: string[] = [];
  const strict: TargetGuard = {
    hostRefusal: () => null,
    refusal: (address) => (address === '0:0:0:0:0:0:0:1' ? null : `${address} is elsewhere`),
    report: (host, refusal) => void reported.push(`${host}: ${refusal}`),
  };
  const hosts = join(mkdtempSync(join(tmpdir(), 'picket-hosts-')), 'hosts');
  writeFileSync(hosts, '0:0:0:0:0:0:0:1 odd.test\n');
  const guarded = testChecker({ guard: strict, hostsPath: hosts });
  for (const outcome of [
    await guarded.http(`http://odd.test:${target.port}/`),
    await guarded.tcp(`odd.test:${target.port}`),
  ]) {
    t.match(outcome, {
      error: { code: 'blocked_target', message: '"odd.test" points to an address that is not allowed' },
    });
  }
  t.same(reported, ['odd.test: ::1 is elsewhere', 'odd.test: ::1 is elsewhere']);
  t.same(target.requests, [], 'nothing was sent');
  guarded.close();
  await target.close();
});
