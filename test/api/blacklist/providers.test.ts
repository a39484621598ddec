import t from 'tap';
import { readProviders } from '../../../control-plane/blacklist/lists/providers.js';
import { startBlacklistApp } from '../../helpers/blacklist/app.js';
import { startScriptedDns } from '../../helpers/machine/scripted-dns.js';

const PATH = '/api/v1/blacklist/providers';
const KEY = 'secretcustomerkey';

/** The lists contain their test entries, except one list of everything and one empty list. */
const dns = await startScriptedDns(({ name }) => {
  const isPositive = name.startsWith('2.0.0.127.') || /^(dbltest\.com|test\.surbl\.org|test)\./.test(name);
  if (name.endsWith('psbl.surriel.com')) return 'NXDOMAIN';
  return isPositive || name.endsWith('all.s5h.net') ? ['127.0.0.2'] : 'NXDOMAIN';
});
const catalogue = readProviders({ file: null, keys: new Map([['spamhaus-zen', KEY]]) });
const app = await startBlacklistApp({ catalogue, dnsServers: [dns.server] });
t.teardown(async () => {
  await app.stop();
  await dns.stop();
});

interface Shown {
  id: string;
  zone: string;
  type: string;
  health: string;
  health_reason: string | null;
  tested_at: string | null;
}

const list = (query = '') => app.request<Shown[]>('GET', `${PATH}${query}`, { key: null });

t.test('twelve lists are public under both prefixes', async (t) => {
  const { status, body } = await list();
  t.equal(status, 200);
  t.equal(body.data.length, 12);
  t.equal(body.next_cursor, null);
  t.equal(body.data.filter(({ type }) => type === 'ip').length, 10);
  t.equal(body.data.filter(({ type }) => type === 'domain').length, 2);
  t.match(body.data[0], {
    ...{ id: 'spamhaus-zen', name: 'Spamhaus ZEN', zone: 'zen.spamhaus.org', type: 'ip', ipv6: true },
    ...{ website: /^https:/, delist_url: /^https:/, health: 'untested', health_reason: null, tested_at: null },
  });
  const other = await app.request('GET', '/v1/blacklist/providers');
  t.same(other.body, body, 'the same with a key');
});

t.test('paginated, in the order of the catalogue', async (t) => {
  const all = (await list()).body.data.map(({ id }) => id);
  const walked: string[] = [];
  for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
    const { body } = await list(`?limit=5${cursor === '' ? '' : `&cursor=${cursor}`}`);
    walked.push(...body.data.map(({ id }) => id));
    cursor = body.next_cursor;
  }
  t.strictSame(walked, all);
  for (const query of ['?limit=0', '?limit=201', '?cursor=nonsense', '?colour=red']) {
    t.equal((await list(query)).status, 422, query);
  }
});

t.test('the results of the list tests, without keys', async (t) => {
  const before = Date.now();
  const checked = await app.request('POST', '/api/v1/blacklist/instant-check', { body: { target: '185.3.113.7' } });
  t.equal(checked.status, 200);
  const { text, body } = await list();
  const health = new Map(body.data.map((row) => [row.id, row]));
  const of = (zone: string) => body.data.find((row) => row.zone === zone);
  t.match(health.get('spamhaus-zen'), { health: 'passing', health_reason: null });
  const testedAt = Date.parse(health.get('spamhaus-zen')?.tested_at ?? '');
  t.ok(testedAt >= before && testedAt <= Date.now());
  t.match(of('all.s5h.net'), { health: 'failing', health_reason: /lists everything/ });
  t.match(of('psbl.surriel.com'), { health: 'failing', health_reason: /does not list/ });
  t.notMatch(text, KEY);
  t.notMatch(checked.text, KEY);
  t.ok(
    dns.questions.some(({ name }) => name.includes(KEY)),
    'although it was used',
  );
});
