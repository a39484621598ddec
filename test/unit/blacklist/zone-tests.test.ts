import t, { type Test } from 'tap';
import { aheadClock, catalogueOf, lookUps } from '../../helpers/blacklist/lists.js';
import { type DnsReply, startScriptedDns } from '../../helpers/machine/scripted-dns.js';

const HOUR_MS = 3_600_000;

/** One list whose two test entries answer as the test says. */
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
  const looks = lookUps(catalogue, dns.server, clock);
  const tested = async (how: 'now' | 'hourly' = 'now') => (await looks.zoneTests.current(provider, how)).health;
  return { ...looks, provider, clock, tested, asked: () => dns.questions.length };
}

const LISTED: DnsReply = ['127.0.0.2'];

t.test('a list that lists its entry and not the other passes; anything else that it answers fails it', async (t) => {
  t.equal(await (await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' })).tested(), 'passing');
  t.equal(await (await list(t, { listed: ['127.0.0.99'], not_listed: 'NODATA' })).tested(), 'passing', 'an odd code');
  const mad = await list(t, { listed: LISTED, not_listed: LISTED });
  t.equal(await mad.tested(), 'failing');
  t.match(mad.zoneTests.state(mad.provider).reason, /lists everything, even its test entry 127\.0\.0\.1/);
  const empty = await list(t, { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' });
  t.equal(await empty.tested(), 'failing');
  t.match(empty.zoneTests.state(empty.provider).reason, /does not list its test entry 127\.0\.0\.2/);
});

t.test('codes that a row names are the only ones that prove its entry', async (t) => {
  const test = { listed: '127.0.0.2', not_listed: '127.0.0.1', codes: ['127.0.0.99', '127.0.0.1'] };
  const of = async (code: string) => (await list(t, { listed: [code], not_listed: 'NXDOMAIN' }, { test })).tested();
  t.equal(await of('127.0.0.99'), 'passing');
  t.equal(await of('127.0.0.1'), 'passing', 'even one that is a refusal elsewhere');
  t.equal(await of('127.0.0.2'), 'failing');
  t.equal(await of('127.255.255.254'), 'untested', 'a refusal proves nothing');
});

t.test('what is no answer proves nothing and keeps the last verdict', async (t) => {
  const nothing: DnsReply[] = ['SERVFAIL', 'REFUSED', ['127.255.255.254'], ['127.0.0.1'], ['192.0.2.1']];
  for (const reply of nothing) {
    const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
    const one = await list(t, says);
    t.equal(await one.tested(), 'passing');
    const before = one.zoneTests.state(one.provider);
    for (const silent of [{}, { listed: LISTED }, { not_listed: 'NXDOMAIN' }]) {
      Object.assign(says, { listed: reply, not_listed: reply }, silent);
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'passing', JSON.stringify(says));
    }
    t.same(one.zoneTests.state(one.provider), before);
    for (const wrong of [{ listed: 'NXDOMAIN' }, { not_listed: LISTED }]) {
      Object.assign(says, { listed: reply, not_listed: reply }, wrong);
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'failing', `one wrong answer is enough: ${JSON.stringify(says)}`);
      for (const silent of [{}, { listed: LISTED }, { not_listed: 'NXDOMAIN' }]) {
        Object.assign(says, { listed: reply, not_listed: reply }, silent);
        one.clock.skip(2_000);
        t.equal(await one.tested(), 'failing', `half an answer does not bring it back: ${JSON.stringify(says)}`);
      }
      Object.assign(says, { listed: LISTED, not_listed: 'NXDOMAIN' });
      one.clock.skip(2_000);
      t.equal(await one.tested(), 'passing');
    }
  }
});

t.test('of several entries that a list may have, one is enough', async (t) => {
  const test = { listed: ['127.0.0.2', '127.0.0.3'], not_listed: '127.0.0.1' };
  t.equal(await (await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' }, { test })).tested(), 'passing');
  const none = await list(t, { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' }, { test });
  t.equal(await none.tested(), 'failing');
  t.match(none.zoneTests.state(none.provider).reason, /test entry 127\.0\.0\.2 or 127\.0\.0\.3/);
});

t.test('changes are told once: passing to failing and back', async (t) => {
  const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
  const one = await list(t, says);
  await one.tested();
  t.same(one.changes, [], 'that a list is well at first is no news');
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

t.test('hourly: a verdict lasts an hour, a failing list is tested each time, a silent one once a minute', async (t) => {
  const says = { listed: LISTED, not_listed: 'NXDOMAIN' as DnsReply };
  const one = await list(t, says);
  await one.tested('hourly');
  t.equal(one.asked(), 2);
  one.clock.skip(HOUR_MS - 5_000);
  await one.tested('hourly');
  t.equal(one.asked(), 2);
  one.clock.skip(5_001);
  says.not_listed = LISTED;
  t.equal(await one.tested('hourly'), 'failing');
  t.equal(one.asked(), 4);
  await Promise.all([one.tested('hourly'), one.tested('hourly')]);
  t.equal(one.asked(), 4, 'not twice within a second');
  one.clock.skip(1_001);
  says.not_listed = 'NXDOMAIN';
  t.equal(await one.tested('hourly'), 'passing', 'back as soon as it is well');

  const silent = await list(t, { listed: 'SERVFAIL', not_listed: 'SERVFAIL' });
  await silent.tested('hourly');
  const once = silent.asked();
  silent.clock.skip(30_000);
  await silent.tested('hourly');
  t.equal(silent.asked(), once, 'a list that refuses us is not hammered');
  silent.clock.skip(31_000);
  await silent.tested('hourly');
  t.ok(silent.asked() > once);
});

t.test('now: tests that begin within a second are one', async (t) => {
  const one = await list(t, { listed: LISTED, not_listed: 'NXDOMAIN' });
  await Promise.all([one.tested(), one.tested(), one.tested()]);
  await one.tested();
  t.equal(one.asked(), 2);
  one.clock.skip(1_001);
  await one.tested();
  t.equal(one.asked(), 4);
});

t.test('a zone for IPv6 that lists what no list may list fails the list', async (t) => {
  const catalogue = catalogueOf([{ id: 'one', ipv6_zone: 'six.one.test' }]);
  const dns = await startScriptedDns(({ name }) =>
    name === '2.0.0.127.one.test' || name.endsWith('.six.one.test') ? LISTED : 'NXDOMAIN',
  );
  t.teardown(() => dns.stop());
  const { zoneTests } = lookUps(catalogue, dns.server);
  await zoneTests.testAll();
  t.match(zoneTests.states().get('one'), { health: 'failing', reason: /::ffff:127\.0\.0\.1/ });
});

t.test('a list without test entries stays untested and is not asked', async (t) => {
  const one = await list(t, { listed: LISTED, not_listed: LISTED }, { test: null });
  t.equal(await one.tested(), 'untested');
  t.equal(one.asked(), 0);
  const half = await list(
    t,
    { listed: 'NXDOMAIN', not_listed: 'NXDOMAIN' },
    { test: { listed: null, not_listed: '127.0.0.1' } },
  );
  t.equal(await half.tested(), 'passing', 'one entry is enough where there is but one');
});
