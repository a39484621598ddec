import t, { type Test } from 'tap';
import { aheadClock, catalogueOf, lookUps } from '../../helpers/blacklist/lists.js';
import { createGate } from '../../helpers/gate.js';
import { type DnsQuestion, type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';
import { standingClock } from '../../helpers/standing-clock.js';
import { waitFor } from '../../helpers/wait.js';

const LISTED: DnsReply = ['127.0.0.2'];
const IP = { type: 'ip', name: '8.8.8.8' } as const;
const ADDRESS = '8.8.8.8';
const DOMAIN = { type: 'domain', name: 'mail.site.example' } as const;
const NOW = { tests: 'now' } as const;
const HOUR_MS = 3_600_000;
/** How long a check waits for the text of a listing, as in `query-list.ts`. A lookup without an answer takes longer. */
const TEXT_WAIT_MS = 1_000;

/** Starts lists that pass their tests; the test decides all other answers. */
async function scene(
  t: Test,
  rows: ({ id: string } & Record<string, unknown>)[],
  answer: (question: DnsQuestion) => DnsReply | Promise<DnsReply>,
  /** Resolves when tests are answered. */
  beforeTests = async () => {},
) {
  const dns = await startScriptedDns(async (question) => {
    const { name } = question;
    const entry = rows.map(({ id }) => `.${id}.test`).find((zone) => name.endsWith(zone));
    const part = entry === undefined ? null : name.slice(0, -entry.length);
    if (part === '2.0.0.127' || part === 'test') {
      await beforeTests();
      return { answers: [{ type: 'A', name, ttl: 1, data: '127.0.0.2' }] };
    }
    if (part === '1.0.0.127' || part === 'invalid') {
      await beforeTests();
      return 'NXDOMAIN';
    }
    return answer(question);
  });
  t.teardown(() => dns.stop());
  const clock = aheadClock();
  return { ...lookUps(catalogueOf(rows), dns.server, clock), questions: dns.questions, server: dns.server, clock };
}

t.test('an address is checked on every IP list in the order of the catalogue, with text, code and time', async (t) => {
  const rows = [{ id: 'a' }, { id: 'b', codes: [{ code: '127.0.0.2', meaning: 'spam' }] }, { id: 'd', type: 'domain' }];
  const { checkTarget } = await scene(t, rows, ({ name, type }) => {
    if (!name.endsWith('.b.test')) return 'NXDOMAIN';
    const text = [`see\u0007 https://list.example/${'x'.repeat(200)}`, 'y'.repeat(200)];
    return type === 'TXT' ? { answers: [{ type: 'TXT', name, ttl: 1, data: text }] } : LISTED;
  });
  const check = await checkTarget(IP, NOW);
  t.match(check, { target: ADDRESS, type: 'ip', score: 50, rating: 'listed', asked: 2, responding: 2, not_asked: [] });
  t.match(check.results, [
    { provider: 'a', status: 'clean', codes: [], reason: null },
    { provider: 'b', status: 'listed', codes: ['127.0.0.2'], meanings: ['spam'], policy: false, addresses: [] },
  ]);
  const [, listed] = check.results;
  t.match(listed?.reason, /^see https:/, 'without control characters');
  t.equal(listed?.reason?.length, 300);
  t.ok((listed?.response_time_ms ?? 0) > 0);
  t.equal((await checkTarget(IP, { ...NOW, only: new Set(['a']) })).results.length, 1, 'only the selected lists');
});

t.test('each result has the test state of its list', async (t) => {
  const rows = [
    { id: 'a' },
    { id: 'b', test: null },
    { id: 'c', test: { listed: '127.0.0.9', not_listed: '127.0.0.1' } },
  ];
  const { checkTarget } = await scene(t, rows, ({ name }) => (name.startsWith('9.0.0.127.') ? 'SERVFAIL' : LISTED));
  t.same(
    (await checkTarget(IP, NOW)).results.map(({ provider, status, tested }) => [provider, status, tested]),
    [
      ['a', 'listed', true],
      ['b', 'listed', false],
      ['c', 'listed', false],
    ],
    'without test entries, or without an answer for them, the state is unknown',
  );
});

t.test('a listing with a late or missing text is still a listing', async (t) => {
  const clock = standingClock();
  const rows = [{ id: 'a' }, { id: 'b' }];
  const answer = ({ name, type }: DnsQuestion): DnsReply =>
    type === 'A' ? LISTED : name.endsWith('.a.test') ? 'silence' : 'SERVFAIL';
  const { server } = await scene(t, rows, answer);
  const { checkTarget } = lookUps(catalogueOf(rows), server, clock);
  const checked = checkTarget(IP, NOW);
  const waits = () => clock.delays.filter((ms) => ms === TEXT_WAIT_MS).length;
  await waitFor('both lists to wait for their texts', 20_000, () => waits() === rows.length, 5);
  await clock.advance(TEXT_WAIT_MS);
  t.match((await checked).results, [
    { status: 'listed', reason: null },
    { status: 'listed', reason: null },
  ]);
});

t.test('lists are queried and tested at the same time: a check takes as long as its slowest list', async (t) => {
  const rows = Array.from({ length: 12 }, (_, n) => ({ id: `l${n}` }));
  /** Of each list: the lookup, both of its test entries, and the one of IPv6. */
  const asked = { questions: 0, all: createGate() };
  // Nothing is answered before everything is asked. A lookup without an answer would time out.
  const afterAll = async () => {
    asked.questions += 1;
    if (asked.questions === 4 * rows.length) asked.all.open();
    await asked.all.pass();
  };
  const answer = async (): Promise<DnsReply> => {
    await afterAll();
    return 'NXDOMAIN';
  };
  const { checkTarget, clock, questions } = await scene(t, rows, answer, afterAll);
  for (let round = 1; round <= 2; round++) {
    const { results } = await checkTarget(IP, NOW);
    t.ok(results.every(({ status, tested }) => status === 'clean' && tested === true));
    t.equal(questions.length, round * 4 * rows.length, 'each question once');
    Object.assign(asked, { questions: 0, all: createGate() });
    clock.skip(1_001);
  }
});

t.test('an IPv6 address is queried only on lists that support IPv6', async (t) => {
  const rows = [{ id: 'a' }, { id: 'b', ipv6_zone: 'b.test' }, { id: 'c', ipv6_zone: 'six.c.test' }];
  const { checkTarget, questions } = await scene(t, rows, () => 'NXDOMAIN');
  const check = await checkTarget({ type: 'ip', name: '2001:4860:4860::8888' }, NOW);
  t.match(check.results, [{ provider: 'b' }, { provider: 'c' }]);
  t.match(check.not_asked, [{ provider: 'a', reason: /IPv6/ }]);
  const nibbles = '8.8.8.8.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.0.6.8.4.0.6.8.4.1.0.0.2';
  t.ok(questions.some(({ name, type }) => name === `${nibbles}.b.test` && type === 'A'));
  t.ok(questions.some(({ name, type }) => name === `${nibbles}.six.c.test` && type === 'A'));
});

const BOTH = [
  { id: 'ips', ipv6_zone: 'ips.test' },
  { id: 'v4' },
  { id: 'names', type: 'domain' },
  { id: 'hosts', type: 'domain', names: 'host' },
];

t.test('a domain is checked on the domain lists, and each of its addresses on the IP lists', async (t) => {
  const { checkTarget, questions } = await scene(t, BOTH, ({ name, type }) => {
    if (name === DOMAIN.name) return ['8.8.4.4', '8.8.8.8', '10.0.0.1', '2001:4860:4860::8888'];
    if (name === '8.8.8.8.ips.test') return type === 'A' ? LISTED : 'NODATA';
    return 'NXDOMAIN';
  });
  const check = await checkTarget(DOMAIN, NOW);
  t.match(check, { target: DOMAIN.name, type: 'domain', asked: 4, listed: 1, clean: 3, score: 75 });
  t.match(check.results, [
    {
      ...{ provider: 'ips', status: 'listed', codes: ['127.0.0.2'] },
      addresses: [
        { address: '2001:4860:4860::8888', status: 'clean' },
        { address: '8.8.4.4', status: 'clean' },
        { address: '8.8.8.8', status: 'listed', codes: ['127.0.0.2'] },
      ],
    },
    {
      provider: 'v4',
      status: 'clean',
      reason: 'Not queried: the domain points to an address that is not allowed.',
      addresses: { length: 2 },
    },
    { provider: 'names', status: 'clean', addresses: [] },
    { provider: 'hosts', status: 'clean', addresses: [] },
  ]);
  const queried = new Set(questions.map(({ name }) => name));
  t.ok(
    queried.has('site.example.names.test') && !queried.has('mail.site.example.names.test'),
    'the registrable domain',
  );
  t.ok(queried.has('mail.site.example.hosts.test'), 'the whole host name if the list needs it');
  t.notOk(
    [...queried].some((name) => name.startsWith('1.0.0.10.')),
    'a private address is never queried',
  );
});

t.test('if one address is clean and one has no answer, the list has no answer', async (t) => {
  const { checkTarget } = await scene(t, BOTH, ({ name }) => {
    if (name === DOMAIN.name) return ['8.8.4.4', '8.8.8.8'];
    return name === '8.8.8.8.ips.test' ? 'SERVFAIL' : 'NXDOMAIN';
  });
  t.match((await checkTarget(DOMAIN, NOW)).results[0], {
    ...{ status: 'error', reason: /SERVFAIL/ },
    addresses: [
      { address: '8.8.4.4', status: 'clean' },
      { address: '8.8.8.8', status: 'error' },
    ],
  });
});

t.test('if the lookup of the addresses fails, the IP lists count as not answering', async (t) => {
  const { checkTarget } = await scene(t, BOTH, ({ name }) => (name === DOMAIN.name ? 'SERVFAIL' : 'NXDOMAIN'));
  const check = await checkTarget(DOMAIN, NOW);
  t.match(check, { responding: 2, asked: 4, not_asked: [] });
  t.match(check.results[0], { status: 'error', reason: /SERVFAIL/, response_time_ms: null, addresses: [] });
});

t.test(
  'if the lookup of one family fails, a listing counts and clean does not; IPv4-only lists are not affected',
  async (t) => {
    let ips: DnsReply = 'NXDOMAIN';
    const { checkTarget } = await scene(t, BOTH, ({ name, type }) => {
      if (name === DOMAIN.name) return type === 'A' ? ['8.8.8.8'] : 'SERVFAIL';
      return name === '8.8.8.8.ips.test' ? ips : 'NXDOMAIN';
    });
    t.match((await checkTarget(DOMAIN, NOW)).results, [{ status: 'error' }, { status: 'clean' }, {}, {}]);
    ips = LISTED;
    t.match((await checkTarget(DOMAIN, NOW)).results, [{ status: 'listed' }, { status: 'clean' }, {}, {}]);
  },
);

t.test('a domain without a public address', async (t) => {
  let addresses: DnsReply = 'NXDOMAIN';
  const { checkTarget } = await scene(t, BOTH, ({ name }) => (name === DOMAIN.name ? addresses : 'NXDOMAIN'));
  const missing = await checkTarget(DOMAIN, NOW);
  t.match(missing, { asked: 2, clean: 2, score: null, rating: 'unresolvable' }, 'it does not exist');
  addresses = 'NODATA';
  const withoutAddress = await checkTarget(DOMAIN, NOW);
  t.match(withoutAddress, { score: 100, rating: 'excellent' }, 'it exists, for example only to send mail');
  t.match(withoutAddress, { asked: 2, results: [{ provider: 'names' }, { provider: 'hosts' }] });
  t.match(withoutAddress.not_asked, [
    { provider: 'ips', reason: /has no address/ },
    { provider: 'v4', reason: /no IPv4 address/ },
  ]);
  addresses = ['10.0.0.1'];
  t.match((await checkTarget(DOMAIN, NOW)).not_asked[0], {
    reason: 'No address of the domain can be queried: the domain points to an address that is not allowed.',
  });
  addresses = ['2001:4860:4860::8888'];
  const six = await checkTarget(DOMAIN, NOW);
  t.match(six.not_asked, [{ provider: 'v4', reason: /no IPv4 address/ }]);
  t.match(six.results[0], { provider: 'ips', addresses: [{ address: '2001:4860:4860::8888' }] });
});

t.test('the answers of a list that fails its tests are invalid; other results stay', async (t) => {
  const cases: [answer: string[] | 'NXDOMAIN' | 'SERVFAIL', status: string][] = [
    [['127.0.0.2'], 'invalid'],
    ['NXDOMAIN', 'invalid'],
    [['127.255.255.254'], 'blocked'],
    ['SERVFAIL', 'error'],
  ];
  for (const [answer, status] of cases) {
    const catalogue = catalogueOf([{ id: 'mad' }, { id: 'well' }]);
    const dns = await startScriptedDns(({ name }) => {
      if (name === '8.8.8.8.mad.test') return answer;
      if (name === '2.0.0.127.mad.test' || name === '1.0.0.127.mad.test') return LISTED;
      return name === '2.0.0.127.well.test' ? LISTED : 'NXDOMAIN';
    });
    t.teardown(() => dns.stop());
    const { checkTarget } = lookUps(catalogue, dns.server);
    const check = await checkTarget(IP, NOW);
    t.match(check, { score: 100, responding: 1, listed: 0, asked: 2 }, JSON.stringify(answer));
    t.match(check.results[0], { status, meanings: [], reason: status === 'invalid' ? /own test/ : /./ });
    t.same(check.results[0]?.codes, Array.isArray(answer) ? answer : [], 'the codes stay visible');
  }
});

t.test('a key is in the queried names and in no result, even if the list repeats it', async (t) => {
  const catalogue = catalogueOf(
    [{ id: 'one', keyed_zone: '{key}.one.test', test: null }],
    new Map([['one', 'S3cret-K3y']]),
  );
  const dns = await startScriptedDns(({ name, type }) =>
    type === 'A' ? LISTED : { answers: [{ type: 'TXT', name, ttl: 1, data: `${name} by S3CRET-K3Y` }] },
  );
  t.teardown(() => dns.stop());
  const check = await lookUps(catalogue, dns.server).checkTarget(IP, NOW);
  t.equal(dns.questions[0]?.name, '8.8.8.8.s3cret-k3y.one.test');
  t.equal(check.results[0]?.reason, '8.8.8.8.{key}.one.test by {key}');
  t.notMatch(JSON.stringify(check), /s3cret/i);
});

t.test('a check ends within eight seconds, including the lookup of the addresses', async (t) => {
  const clock = standingClock();
  const addresses = createGate();
  const lists = createGate();
  const { server, questions } = await scene(t, BOTH, async ({ name, type }) => {
    if (name !== DOMAIN.name) await lists.pass();
    else if (type === 'AAAA') await addresses.pass();
    return type === 'A' ? ['8.8.8.8'] : 'NODATA';
  });
  const { checkTarget } = lookUps(catalogueOf(BOTH), server, clock, { attemptTimeoutMs: HOUR_MS });
  const begun = clock.monotonic();
  const checked = checkTarget(DOMAIN, NOW);
  await waitFor('the queries of the addresses', 20_000, () => questions.filter(isOfDomain).length === 2, 5);
  // A query of a list that begins later than this has less than its own limit of five seconds.
  await clock.advance(4_900);
  addresses.open();
  await waitFor('the queries of the addresses on the lists', 20_000, () => clock.delays.includes(3_100), 5);
  await clock.advance(3_100);
  const check = await checked;
  t.equal(clock.monotonic() - begun, 8_000);
  t.match(check, { score: null, rating: null, responding: 0, asked: 4 });
  t.ok(check.results.every(({ status }) => status === 'timeout'));
  lists.open();
});

function isOfDomain({ name }: DnsQuestion): boolean {
  return name === DOMAIN.name;
}
