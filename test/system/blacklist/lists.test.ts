import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import type { Target, TargetCheck } from '../../../control-plane/blacklist/results.js';
import { aheadClock, lookUps } from '../../helpers/blacklist/lists.js';
import { startRbldnsd } from '../../helpers/machine/rbldnsd.js';
import { startResolver } from '../../helpers/machine/scripted-dns.js';

const IP: Target = { type: 'ip', name: '8.8.8.8' };
const SIX: Target = { type: 'ip', name: '2001:4860:4860::8888' };
const DOMAIN: Target = { type: 'domain', name: 'mail.shop.example' };
const PART = 'shop.example';

const catalogue = readProviders({ file: null, keys: new Map() });
const lists = await startRbldnsd();
const hosts = new Map([[DOMAIN.name, ['8.8.8.8', '8.8.4.4', SIX.name]]]);
const resolver = await startResolver({ hosts, lists });
t.teardown(async () => {
  await resolver.stop();
  await lists.stop();
});
const clock = aheadClock();
const { checkTarget, zoneTests, changes } = lookUps(catalogue, resolver.server, clock);

const entryOf = (type: 'ip' | 'domain') => (type === 'ip' ? IP.name : PART);
const targetOf = (type: 'ip' | 'domain') => (type === 'ip' ? IP : DOMAIN);
/** Checks the target a second later, so that the lists are tested again. */
async function check(target: Target): Promise<TargetCheck> {
  await lists.reloaded();
  clock.skip(1_001);
  return checkTarget(target, { tests: 'now' });
}
const rowOf = ({ results }: TargetCheck, id: string) => results.find(({ provider }) => provider === id);
const reset = () => {
  for (const zone of lists.zones) lists.clear(zone);
};

t.test('an unlisted target is clean on twelve working lists, which all pass their tests', async (t) => {
  t.match(await check(IP), { asked: 10, responding: 10, clean: 10, score: 100, rating: 'excellent', not_asked: [] });
  t.match(await check(DOMAIN), { asked: 12, responding: 12, clean: 12, score: 100, not_asked: [] });
  for (const [id, { health, reason }] of zoneTests.states()) t.equal(health, 'passing', `${id}: ${reason}`);
});

t.test('a listing on each single list has its meaning and the text of the list', async (t) => {
  for (const provider of catalogue.providers) {
    reset();
    lists.list(provider.zone, entryOf(provider.type), undefined, `found in ${provider.id}: $`);
    const found = await check(targetOf(provider.type));
    t.match(found, { listed: 1, responding: provider.type === 'ip' ? 10 : 12 }, provider.id);
    const row = rowOf(found, provider.id);
    t.match(row, { status: 'listed', policy: provider.id === 'dronebl', delist_url: provider.delist_url });
    t.equal(row?.meanings.length, 1);
    t.equal(row?.reason, `found in ${provider.id}: ${entryOf(provider.type)}`);
  }
});

t.test('a refusal of each single list is never a listing', async (t) => {
  for (const provider of catalogue.providers) {
    for (const code of ['127.255.255.254', '127.0.0.1']) {
      reset();
      lists.refuse(provider.zone, code);
      const found = await check(targetOf(provider.type));
      const asked = provider.type === 'ip' ? 10 : 12;
      t.match(found, { listed: 0, score: 100, asked, responding: asked - 1 }, `${provider.id} ${code}`);
      t.match(rowOf(found, provider.id), { status: 'blocked', codes: [code], meanings: [] });
      t.equal(
        zoneTests.states().get(provider.id)?.health,
        'passing',
        'a refusal does not change the health of the list',
      );
    }
  }
});

t.test('there is no score if all lists refuse', async (t) => {
  reset();
  for (const zone of lists.zones) lists.refuse(zone);
  const found = await check(DOMAIN);
  t.match(found, { score: null, rating: null, responding: 0, asked: 12 });
  t.ok(found.results.every(({ status }) => status === 'blocked'));
});

t.test('several codes with a refusal, a policy listing, and bit masks', async (t) => {
  reset();
  for (const code of ['127.0.0.2', '127.0.0.4', '127.0.0.10', '127.255.255.255'])
    lists.list('zen.spamhaus.org', IP.name, code);
  lists.list('bl.blocklist.de', IP.name, '127.0.0.14');
  lists.list('bl.spamcop.net', IP.name, '127.0.0.77');
  const found = await check(IP);
  t.match(found, { listed: 2, clean: 7, responding: 9, asked: 10, score: 77.8, rating: 'listed' });
  t.match(rowOf(found, 'spamhaus-zen'), {
    ...{ status: 'listed', meanings: ['SBL', 'XBL', 'PBL, by the provider'], policy: false },
    codes: ['127.0.0.2', '127.0.0.4', '127.0.0.10', '127.255.255.255'],
  });
  t.match(rowOf(found, 'blocklist-de'), { meanings: ['ssh'] });
  t.match(rowOf(found, 'spamcop'), { status: 'invalid', codes: ['127.0.0.77'] });

  lists.clear('zen.spamhaus.org');
  lists.list('zen.spamhaus.org', IP.name, '127.0.0.11');
  t.match(rowOf(await check(IP), 'spamhaus-zen'), { status: 'listed', policy: true });

  lists.list('multi.surbl.org', PART, '127.0.0.80');
  t.match(rowOf(await check(DOMAIN), 'surbl'), { status: 'listed', meanings: ['MW', 'ABUSE'] });
  lists.clear('multi.surbl.org');
  lists.list('multi.surbl.org', PART, '127.0.0.81');
  t.match(rowOf(await check(DOMAIN), 'surbl'), { status: 'blocked' }, 'bit 1 together with other bits');
});

t.test('IPv6 addresses are queried by nibbles, also in separate zones', async (t) => {
  reset();
  const zones = ['zen.spamhaus.org', 'all.s5h.net', 'bl.ipv6.spameatingmonkey.net'];
  for (const zone of zones) lists.list(zone, SIX.name, '127.0.0.2');
  const found = await check(SIX);
  t.match(found, { type: 'ip', asked: 4, listed: 3, clean: 1 });
  for (const id of ['spamhaus-zen', 's5h', 'spameatingmonkey']) t.match(rowOf(found, id), { status: 'listed' }, id);
  t.same(
    found.not_asked.map(({ provider }) => provider),
    [...['spamcop', 'barracuda', 'psbl', 'mailspike', 'blocklist-de', 'uceprotect-1']],
  );
});

t.test('a domain is listed on a list of domains, and on a list of addresses because of an address', async (t) => {
  reset();
  lists.list('dbl.spamhaus.org', PART, '127.0.1.4', 'phish $');
  lists.list('psbl.surriel.com', '8.8.4.4');
  lists.list('zen.spamhaus.org', SIX.name, '127.0.0.3');
  const found = await check(DOMAIN);
  t.match(found, { asked: 12, listed: 3, clean: 9 });
  t.match(rowOf(found, 'spamhaus-dbl'), { status: 'listed', meanings: ['phishing'], reason: 'phish shop.example' });
  t.match(rowOf(found, 'psbl'), {
    addresses: [
      { address: '8.8.4.4', status: 'listed' },
      { address: '8.8.8.8', status: 'clean' },
    ],
  });
  t.match(rowOf(found, 'spamhaus-zen')?.addresses, [{ address: SIX.name, codes: ['127.0.0.3'] }, {}, {}]);
});

t.test(
  'a list that lists everything or nothing does not count in the same check, and counts again after its repair',
  async (t) => {
    for (const [id, target, zone] of [
      ['psbl', IP, 'psbl.surriel.com'],
      ['surbl', DOMAIN, 'multi.surbl.org'],
      ['spameatingmonkey', SIX, 'bl.ipv6.spameatingmonkey.net'],
    ] as const) {
      reset();
      changes.length = 0;
      const before = await check(target);
      lists.wildcard(zone);
      const mad = await check(target);
      t.match(rowOf(mad, id), { status: 'invalid', meanings: [], reason: /lists everything/ }, id);
      t.match(mad, { listed: 0, score: 100, asked: before.asked, responding: before.responding - 1 });
      t.equal(zoneTests.states().get(id)?.health, 'failing');
      lists.clear(zone);
      t.match(rowOf(await check(target), id), { status: 'clean' });
      t.same(
        changes.map(({ provider, from, to }) => [provider.id, from, to]),
        [
          [id, 'passing', 'failing'],
          [id, 'failing', 'passing'],
        ],
      );
    }
    lists.clear('bl.spamcop.net', '127.0.0.2');
    lists.list('bl.spamcop.net', IP.name);
    t.match(rowOf(await check(IP), 'spamcop'), { status: 'invalid', reason: /does not list its test entry/ });
  },
);

t.test('the hourly test finds a failing list without a lookup', async (t) => {
  reset();
  lists.wildcard('all.s5h.net');
  await lists.reloaded();
  clock.skip(1_001);
  await zoneTests.testAll();
  t.match(zoneTests.states().get('s5h'), { health: 'failing', reason: /127\.0\.0\.1/ });
  t.match(rowOf(await checkTarget(IP, { tests: 'hourly' }), 's5h'), { status: 'invalid' });
});
