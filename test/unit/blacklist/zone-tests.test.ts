import t, { type Test } from 'tap';
import { aheadClock, catalogueOf, lookUps } from '../../helpers/blacklist/lists.js';
import { type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';

const HOUR_MS = 3_600_000;

/** Starts one list; the test decides the answers for its two test entries. */
async function list(t: Test, says: { listed: DnsReply; not_listed: DnsReply }, row: Record<string, unknown> = {}) {
  const catalogue = catalogueOf([{ id: 'one', ...row }]);
  const dns = await startScriptedDns(({ name }) => {
    if (name === '2.0.0.127.one.test') return says.listed;
    return name === '1.0.0.127.one.test' ? says.not_listed : 'NXDOMAIN';
  });
  t.teardown(() => dns.stop());
  const clock = aheadClock();
  const [provider] = catalogue.providers;
  if (provider === undefined) throw new Error('no list');
  const lookups = lookUps(catalogue, dns.server, clock);
  const tested = async (how: 'now' | 'hourly' = 'now') => (await lookups.zoneTests.current(provider, how)).health;
  return { ...lookups, provider, clock, tested, queries: () => dns.questions.length };
}

const LISTED: DnsReply = ['127.0.0.2'];

t.test('a list passes with both correct answers, and fails with a wrong one', async (t) => {
  t.equal(await (await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' })).tested(), 'passing');
  t.equal(
    await (await list(t, { listed: ['127.0.0.99'], not_listed: 'NODATA' })).tested(),
    'passing',
    'an unusual code',
  );
  const wrong = await list(t, { listed: LISTED, not_listed: LISTED });
  t.equal(await wrong.tested(), 'failing');
  t.match(wrong.zoneTests.state(wrong.provider).reason, /lists everything, even its test entry 127\.0\.0\.1/);
  const empty = await list(t, { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' });
  t.equal(await empty.tested(), 'failing');
  t.match(empty.zoneTests.state(empty.provider).reason, /does not list its test entry 127\.0\.0\.2/);
});

t.test('if a row has test codes, only these codes count as its entry', async (t) => {
  const test = { listed: '127.0.0.2', not_listed: '127.0.0.1', codes: ['127.0.0.99', '127.0.0.1'] };
  const of = async (code: string) => (await list(t, { listed: [code], not_listed: 'NXDOMAIN' }, { test })).tested();
  t.equal(await of('127.0.0.99'), 'passing');
  t.equal(await of('127.0.0.1'), 'passing', 'even a code that is otherwise a refusal');
  t.equal(await of('127.0.0.2'), 'failing');
  t.equal(await of('127.255.255.254'), 'untested', 'a refusal gives no result');
});

t.test('a missing answer gives no result and keeps the last state', async (t) => {
  const noAnswers: DnsReply[] = ['SERVFAIL', 'REFUSED', ['127.255.255.254'], ['127.0.0.1'], ['192.0.2.1']];
  for (const reply of noAnswers) {
    const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
    const one = await list(t, says);
    t.equal(await one.tested(), 'passing');
    const before = one.zoneTests.state(one.provider);
    for (const partial of [{}, { listed: LISTED }, { not_listed: 'NXDOMAIN' }]) {
      Object.assign(says, { listed: reply, not_listed: reply }, partial);
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'passing', JSON.stringify(says));
    }
    t.same(one.zoneTests.state(one.provider), before);
    for (const wrongAnswer of [{ listed: 'NXDOMAIN' }, { not_listed: LISTED }]) {
      Object.assign(says, { listed: reply, not_listed: reply }, wrongAnswer);
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'failing', `one wrong answer is enough: ${JSON.stringify(says)}`);
      for (const partial of [{}, { listed: LISTED }, { not_listed: 'NXDOMAIN' }]) {
        Object.assign(says, { listed: reply, not_listed: reply }, partial);
        one.clock.skip(2_000);
        t.equal(await one.tested(), 'failing', `one correct answer is not enough to pass: ${JSON.stringify(says)}`);
      }
      Object.assign(says, { listed: LISTED, not_listed: 'NXDOMAIN' });
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'passing');
    }
  }
});

t.test('if a list may have one of several entries, one is enough', async (t) => {
  const test = { listed: ['127.0.0.2', '127.0.0.3'], not_listed: '127.0.0.1' };
  t.equal(await (await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' }, { test })).tested(), 'passing');
  const none = await list(t, { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' }, { test });
  t.equal(await none.tested(), 'failing');
  t.match(none.zoneTests.state(none.provider).reason, /test entry 127\.0\.0\.2 or 127\.0\.0\.3/);
});

t.test('a change is reported once: passing to failing and back', async (t) => {
  const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
  const one = await list(t, says);
  await one.tested();
  t.same(one.changes, [], 'the first passing test is not a change');
  says.not_listed = LISTED;
  for (let n = 0; n < 3; n++) {
    one.clock.skip(2_000);
    await one.tested();
  }
  says.not_listed = 'NXDOMAIN';
  one.clock.skip(2_000);
  await one.tested();
  t.match(one.changes, [
    { from: 'passing', to: 'failing', reason: /lists everything/ },
    { from: 'failing', to: 'passing', reason: null },
  ]);
});

t.test(
  'hourly: a result is valid for an hour, a failing list is tested each time, one without answers once a minute',
  async (t) => {
    const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
    const one = await list(t, says);
    await one.tested('hourly');
    t.equal(one.queries(), 2);
    one.clock.skip(HOUR_MS - 5_000);
    await one.tested('hourly');
    t.equal(one.queries(), 2);
    one.clock.skip(5_001);
    says.not_listed = LISTED;
    t.equal(await one.tested('hourly'), 'failing');
    t.equal(one.queries(), 4);
    await Promise.all([one.tested('hourly'), one.tested('hourly')]);
    t.equal(one.queries(), 4, 'not twice within a second');
    one.clock.skip(1_001);
    says.not_listed = 'NXDOMAIN';
    t.equal(await one.tested('hourly'), 'passing', 'passes again at once');

    const unanswered = await list(t, { listed: 'SERVFAIL', not_listed: 'SERVFAIL' });
    await unanswered.tested('hourly');
    const once = unanswered.queries();
    unanswered.clock.skip(30_000);
    await unanswered.tested('hourly');
    t.equal(unanswered.queries(), once, 'a list without answers is not tested too often');
    unanswered.clock.skip(31_000);
    await unanswered.tested('hourly');
    t.ok(unanswered.queries() > once);
  },
);

t.test('now: tests within a second are shared', async (t) => {
  const one = await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' });
  await Promise.all([one.tested(), one.tested(), one.tested()]);
  await one.tested();
  t.equal(one.queries(), 2);
  one.clock.skip(1_001);
  await one.tested();
  t.equal(one.queries(), 4);
});

t.test('a list fails if its IPv6 zone contains the entry that no list may contain', async (t) => {
  const catalogue = catalogueOf([{ id: 'one', ipv6_zone: 'six.one.test' }]);
  const dns = await startScriptedDns(({ name }) =>
    name === '2.0.0.127.one.test' || name.endsWith('.six.one.test') ? LISTED : 'NXDOMAIN',
  );
  t.teardown(() => dns.stop());
  const { zoneTests } = lookUps(catalogue, dns.server);
  await zoneTests.testAll();
  t.match(zoneTests.states().get('one'), { health: 'failing', reason: /::ffff:127\.0\.0\.1/ });
});

t.test('a list without test entries stays untested and is not queried', async (t) => {
  const one = await list(t, { listed: LISTED, not_listed: LISTED }, { test: null });
  t.equal(await one.tested(), 'untested');
  t.equal(one.queries(), 0);
  const half = await list(
    t,
    { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' },
    { test: { listed: null, not_listed: '127.0.0.1' } },
  );
  t.equal(await half.tested(), 'passing', 'one entry is enough if there is only one');
});
