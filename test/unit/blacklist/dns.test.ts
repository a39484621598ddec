import t, { type Test } from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { createDnsClient } from '../../../kernel/dns/dns-client.js';
import { createGate } from '../../helpers/gate.js';
import { type DnsQuestion, type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { standingClock } from '../../helpers/standing-clock.js';
import { waitFor } from '../../helpers/wait.js';

const HOUR_MS = 3_600_000;
/** Nothing listens on this port, and no other test can. */
const CLOSED = '127.0.0.1:9';

const A = (name: string, data: string) => ({ type: 'A' as const, name, ttl: 60, data });
const SOA = {
  type: 'SOA' as const,
  name: 'lists.test',
  ttl: 60,
  data: { mname: 'ns.lists.test', rname: 'x.lists.test', serial: 1, refresh: 1, retry: 1, expire: 1, minimum: 60 },
};

async function client(t: Test, ...scripts: ((question: DnsQuestion) => DnsReply)[]) {
  const servers = await Promise.all(scripts.map((script) => startScriptedDns(script)));
  t.teardown(() => Promise.all(servers.map((server) => server.stop())));
  return { dns: createDnsClient({ servers: servers.map(({ server }) => server), clock: systemClock }), servers };
}

/** The same with a clock that the test moves. */
async function timedClient(t: Test, ...scripts: ((question: DnsQuestion) => DnsReply)[]) {
  const { servers } = await client(t, ...scripts);
  const clock = standingClock();
  const dns = createDnsClient({ servers: servers.map(({ server }) => server), clock });
  const asked = (server: number, queries: number) =>
    waitFor(`query ${queries}`, 20_000, () => servers[server]?.questions.length === queries, 5);
  return { dns, servers, clock, asked };
}

t.test('returns addresses, texts, and none', async (t) => {
  const { dns } = await client(t, ({ name, type }) => {
    if (name === 'nx.lists.test') return { rcode: 'NXDOMAIN', authorities: [SOA] };
    if (name === 'bare.lists.test') return 'NXDOMAIN';
    if (name === 'nodata.lists.test') return { authorities: [SOA] };
    if (type === 'TXT') return { answers: [{ type: 'TXT', name, ttl: 1, data: ['one ', 'two'] }] };
    if (type === 'AAAA') return ['2001:db8::1'];
    return { answers: [A(name, '127.0.0.2'), A(name, '127.0.0.4')] };
  });
  t.match(await dns.resolve4('listed.lists.test'), { kind: 'addresses', addresses: ['127.0.0.2', '127.0.0.4'] });
  t.match(await dns.resolve6('listed.lists.test'), { kind: 'addresses', addresses: ['2001:db8::1'] });
  t.match(await dns.resolveTxt('listed.lists.test'), { kind: 'texts', texts: ['one two'] });
  for (const name of ['nx', 'bare', 'nodata'])
    t.match(await dns.resolve4(`${name}.lists.test`), { kind: 'none' }, name);
});

t.test('a CNAME to a listing is followed', async (t) => {
  const { dns } = await client(t, ({ name }) => ({
    answers: [{ type: 'CNAME', name, ttl: 60, data: 'pool.lists.test' }, A('pool.lists.test', '127.0.0.3')],
  }));
  t.match(await dns.resolve4('x.lists.test'), { kind: 'addresses', addresses: ['127.0.0.3'] });
});

t.test('a truncated answer is queried again over TCP', async (t) => {
  const many = Array.from({ length: 60 }, (_, n) => A('x.lists.test', `127.0.0.${n + 2}`));
  const { dns, servers } = await client(t, ({ transport }) => ({ truncated: transport === 'udp', answers: many }));
  const answer = await dns.resolve4('x.lists.test');
  t.equal(answer.kind === 'addresses' && answer.addresses.length, 60);
  t.same(
    servers[0]?.questions.map(({ transport }) => transport),
    ['udp', 'tcp'],
  );
});

t.test('SERVFAIL, REFUSED and invalid answers are retried once, on the next server', async (t) => {
  const garbage: DnsReply = { raw: Buffer.from('no dns') };
  for (const [reply, error] of [
    ['SERVFAIL', 'SERVFAIL'],
    ['REFUSED', 'REFUSED'],
    [{ rcode: 'NOTIMP' as const }, 'NOTIMP'],
    [{ rcode: 'FORMERR' as const }, 'FORMERR'],
  ] as const) {
    const alone = await client(t, () => reply);
    t.match(await alone.dns.resolve4('x.lists.test'), { kind: 'failed', error }, `${error} alone`);
    t.equal(alone.servers[0]?.questions.length, 2, 'two queries');
    const pair = await client(
      t,
      () => reply,
      () => ['127.0.0.2'],
    );
    t.match(await pair.dns.resolve4('x.lists.test'), { kind: 'addresses' }, `${error} then an answer`);
    t.same(
      pair.servers.map(({ questions }) => questions.length),
      [1, 1],
    );
    await pair.dns.resolve4('y.lists.test');
    t.same(
      pair.servers.map(({ questions }) => questions.length),
      [1, 2],
      'the server that answered is queried first from then on',
    );
  }
  const recovering = await client(t, ({ before }) => (before === 0 ? 'SERVFAIL' : ['127.0.0.2']));
  t.match(await recovering.dns.resolve4('x.lists.test'), { kind: 'addresses' }, 'the only server is queried again');
  const mixed = await client(
    t,
    () => garbage,
    () => 'NXDOMAIN',
  );
  t.match(await mixed.dns.resolve4('x.lists.test'), { kind: 'none' });
  t.equal((await (await client(t, () => garbage)).dns.resolve4('x.lists.test')).kind !== 'none', true, 'never clean');
});

t.test('a closed port fails at once, and the next server is queried', async (t) => {
  // Time stands still, so neither lookup can end by a limit.
  const limits = { clock: standingClock(), attemptTimeoutMs: HOUR_MS };
  const alone = createDnsClient({ servers: [CLOSED], ...limits });
  t.match(await alone.resolve4('x.lists.test'), { kind: 'failed', error: 'CONNREFUSED' });
  const { servers } = await client(t, () => ['127.0.0.2']);
  const pair = createDnsClient({ servers: [CLOSED, servers[0]?.server ?? ''], ...limits });
  t.match(await pair.resolve4('x.lists.test'), { kind: 'addresses' });
});

t.test('without answers, a lookup ends after two attempts of two seconds', async (t) => {
  const { dns, servers, clock, asked } = await timedClient(t, () => 'silence');
  const lookup = dns.resolve4('x.lists.test');
  await asked(0, 1);
  await clock.advance(2_000);
  await asked(0, 2);
  await clock.advance(2_000);
  const answer = await lookup;
  t.equal(answer.kind, 'timeout');
  t.ok(answer.tookMs <= 4_000, `${answer.tookMs} ms`);
  t.same(clock.delays.splice(0), [5_000, 2_000, 2_000], 'the limits of the lookup and of its attempts');
  const shorter = dns.resolve4('y.lists.test', { withinMs: 700 });
  await asked(0, 3);
  await clock.advance(700);
  const within = await shorter;
  t.equal(within.kind, 'timeout');
  t.ok(within.tookMs <= 700 && clock.delays.every((ms) => ms <= 700), 'a shorter limit is respected');
  t.ok((servers[0]?.questions.length ?? 0) <= 4);
});

t.test('a first server without answers costs one attempt, once', async (t) => {
  const { dns, servers, clock, asked } = await timedClient(
    t,
    () => 'silence',
    () => ['127.0.0.2'],
  );
  const first = dns.resolve4('x.lists.test');
  await asked(0, 1);
  await clock.advance(2_000);
  t.equal((await first).kind, 'addresses');
  const second = await dns.resolve4('y.lists.test');
  t.match(second, { kind: 'addresses', tookMs: 0 }, 'while the clock stands still');
  t.equal(servers[0]?.questions.length, 1);
});

t.test('an answer to another query is ignored, and the correct one after it counts', async (t) => {
  const { dns, clock, asked } = await timedClient(t, ({ name }) => ({
    answers: [A(name, '127.0.0.2')],
    wrongId: name.startsWith('alone') ? 'alone' : 'before',
  }));
  const alone = dns.resolve4('alone.lists.test', { withinMs: 1_500 });
  await asked(0, 1);
  t.equal((await dns.resolve4('x.lists.test')).kind, 'addresses');
  await clock.advance(1_500);
  t.equal((await alone).kind, 'timeout', 'without the correct answer, it is a timeout');
});

t.test('after many fast answers, the answer of a slow list is still awaited', async (t) => {
  // c-ares gives up within a second if it expects a fast answer.
  const { servers } = await client(t, ({ name }) => ({
    answers: [A(name, '127.0.0.2')],
    delayMs: name.startsWith('slow') ? 1_600 : 15,
  }));
  const limits = { clock: standingClock(), attemptTimeoutMs: HOUR_MS };
  const dns = createDnsClient({ servers: servers.map(({ server }) => server), ...limits });
  for (let n = 0; n < 20; n++) await dns.resolve4(`fast${n}.lists.test`);
  const fast = Array.from({ length: 20 }, (_, n) => dns.resolve4(`beside${n}.lists.test`));
  const slow = await dns.resolve4('slow.lists.test');
  await Promise.all(fast);
  t.equal(slow.kind, 'addresses');
  t.equal(servers[0]?.questions.filter(({ name }) => name.startsWith('slow')).length, 1, 'in one attempt');
});

t.test('nothing is cached here, because the resolver does that', async (t) => {
  const { dns, servers } = await client(t, ({ name, before }) => ({
    answers: [{ ...A(name, `127.0.0.${before + 2}`), ttl: 3_600 }],
  }));
  t.match(await dns.resolve4('x.lists.test'), { addresses: ['127.0.0.2'] });
  t.match(await dns.resolve4('x.lists.test'), { addresses: ['127.0.0.3'] });
  t.equal(servers[0]?.questions.length, 2);
});

t.test('at most a thousand lookups run at once; others wait until their limit', async (t) => {
  const gate = createGate();
  const server = await startScriptedDns(async ({ name }) => {
    if (name.startsWith('held')) await gate.pass();
    return ['127.0.0.2'];
  });
  t.teardown(() => server.stop());
  const clock = standingClock();
  const dns = createDnsClient({ servers: [server.server], clock, attemptTimeoutMs: HOUR_MS });
  const held = [];
  for (let n = 0; n < 1_000; n++) {
    held.push(dns.resolve4(`held${n}.lists.test`));
    // A thousand packets at once would not fit into the socket of the scripted server.
    if (n % 100 === 99) await waitFor('their arrival', 20_000, () => server.questions.length > n, 1);
  }
  const waits = dns.resolve4('waits.lists.test');
  const gives = dns.resolve4('gives.lists.test', { withinMs: 300 });
  await clock.advance(300);
  t.match(await gives, { kind: 'timeout', tookMs: 300 });
  t.notOk(
    server.questions.some(({ name }) => !name.startsWith('held')),
    'waiting lookups are not sent',
  );
  gate.open();
  t.equal((await waits).kind, 'addresses');
  t.ok((await Promise.all(held)).every(({ kind }) => kind === 'addresses'));
  t.equal((await dns.resolve4('after.lists.test')).kind, 'addresses', 'all slots are free again');
});

t.test('the result of a failure never contains the queried name', async (t) => {
  const { dns } = await client(t, () => 'SERVFAIL');
  t.notMatch(JSON.stringify(await dns.resolve4('s3cret.zen.lists.test')), /s3cret/);
});
