import { createSocket } from 'node:dgram';
import t, { type Test } from 'tap';
import { createDnsClient } from '../../../control-plane/blacklist/lookup/dns-client.js';
import { systemClock } from '../../../kernel/clock.js';
import { type DnsQuestion, type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { waitFor } from '../../helpers/wait.js';

// The tests that wait for seconds run at the same time.
t.jobs = 4;
const test = (title: string, run: (t: Test) => Promise<void>) => t.test(title, { buffered: true }, run);

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
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const closed = `127.0.0.1:${socket.address().port}`;
  await new Promise<void>((resolve) => socket.close(() => resolve()));
  const alone = createDnsClient({ servers: [closed], clock: systemClock });
  const answer = await alone.resolve4('x.lists.test');
  t.match(answer, { kind: 'failed', error: 'CONNREFUSED' });
  t.ok(answer.tookMs < 500, `${answer.tookMs} ms`);
  const { servers } = await client(t, () => ['127.0.0.2']);
  const pair = createDnsClient({ servers: [closed, servers[0]?.server ?? ''], clock: systemClock });
  t.match(await pair.resolve4('x.lists.test'), { kind: 'addresses' });
});

test('without answers, a lookup ends after two attempts of two seconds', async (t) => {
  const { dns, servers } = await client(t, () => 'silence');
  const [answer, within] = await Promise.all([
    dns.resolve4('x.lists.test'),
    dns.resolve4('y.lists.test', { withinMs: 700 }),
  ]);
  t.equal(answer.kind, 'timeout');
  t.ok(answer.tookMs >= 3_900 && answer.tookMs < 4_500, `${answer.tookMs} ms`);
  t.equal(servers[0]?.questions.filter(({ name }) => name === 'x.lists.test').length, 2);
  t.equal(within.kind, 'timeout');
  t.ok(within.tookMs >= 690 && within.tookMs < 1_000, `a shorter limit is respected: ${within.tookMs} ms`);
});

test('a first server without answers costs one attempt, once', async (t) => {
  const { dns, servers } = await client(
    t,
    () => 'silence',
    () => ['127.0.0.2'],
  );
  const first = await dns.resolve4('x.lists.test');
  t.equal(first.kind, 'addresses');
  t.ok(first.tookMs >= 1_900 && first.tookMs < 2_500, `${first.tookMs} ms`);
  const second = await dns.resolve4('y.lists.test');
  t.ok(second.tookMs < 500, `${second.tookMs} ms`);
  t.equal(servers[0]?.questions.length, 1);
});

test('an answer to another query is ignored, and the correct one after it counts', async (t) => {
  const { dns } = await client(t, ({ name }) => ({
    answers: [A(name, '127.0.0.2')],
    wrongId: name.startsWith('alone') ? 'alone' : 'before',
  }));
  const [right, alone] = await Promise.all([
    dns.resolve4('x.lists.test'),
    dns.resolve4('alone.lists.test', { withinMs: 1_500 }),
  ]);
  t.equal(right.kind, 'addresses');
  t.equal(alone.kind, 'timeout', 'without the correct answer, it is a timeout');
});

test('after many fast answers, a slow list still has two seconds', async (t) => {
  const { dns } = await client(t, ({ name }) => ({
    answers: [A(name, '127.0.0.2')],
    delayMs: name.startsWith('slow') ? 1_600 : 15,
  }));
  for (let n = 0; n < 20; n++) await dns.resolve4(`fast${n}.lists.test`);
  const fast = Array.from({ length: 20 }, (_, n) => dns.resolve4(`beside${n}.lists.test`));
  const slow = await dns.resolve4('slow.lists.test');
  await Promise.all(fast);
  t.equal(slow.kind, 'addresses');
  t.ok(slow.tookMs > 1_500 && slow.tookMs < 1_900, `in one attempt: ${slow.tookMs} ms`);
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
  const { dns, servers } = await client(t, ({ name }) =>
    name.startsWith('held') ? { answers: [A(name, '127.0.0.2')], delayMs: 1_400 } : ['127.0.0.2'],
  );
  const held = [];
  for (let n = 0; n < 1_000; n++) {
    held.push(dns.resolve4(`held${n}.lists.test`));
    // A thousand packets at once would not fit into the socket of the scripted server.
    if (n % 100 === 99) await waitFor('their arrival', 5_000, () => (servers[0]?.questions.length ?? 0) > n, 1);
  }
  const waits = dns.resolve4('waits.lists.test');
  const gives = await dns.resolve4('gives.lists.test', { withinMs: 300 });
  t.equal(gives.kind, 'timeout');
  t.ok(gives.tookMs < 700, `${gives.tookMs} ms`);
  t.notOk(
    servers[0]?.questions.some(({ name }) => !name.startsWith('held')),
    'waiting lookups are not sent',
  );
  t.equal((await waits).kind, 'addresses');
  t.ok((await Promise.all(held)).every(({ kind }) => kind === 'addresses'));
  t.equal((await dns.resolve4('after.lists.test')).kind, 'addresses', 'all slots are free again');
});

t.test('the result of a failure never contains the queried name', async (t) => {
  const { dns } = await client(t, () => 'SERVFAIL');
  t.notMatch(JSON.stringify(await dns.resolve4('s3cret.zen.lists.test')), /s3cret/);
});
