import t from 'tap';
import type { ListResult, ListStatus, TargetCheck } from '../../../control-plane/blacklist/blacklist.js';
import type { Listing } from '../../../control-plane/blacklist/documents.js';
import { contradicting, settle } from '../../../control-plane/blacklist/monitoring/listings.js';

const DAY_MS = 86_400_000;
const LISTS = new Map(['a', 'b', 'c'].map((id) => [id, { name: id.toUpperCase(), zone: `${id}.example` }]));

function result(provider: string, status: ListStatus, over: Partial<ListResult> = {}): ListResult {
  const codes = status === 'listed' ? ['127.0.0.2'] : [];
  const delist_url = `https://${provider}.example/`;
  const said = {
    codes,
    meanings: [],
    policy: false,
    reason: null,
    response_time_ms: 1,
    tested: true,
    delist_url,
    addresses: [],
  };
  return { provider, status, ...said, ...over };
}

function look(atMs: number, ...results: ListResult[]): TargetCheck {
  const counts = { score: null, rating: null, listed: 0, clean: 0, responding: 0, asked: results.length };
  return { target: '192.0.2.1', type: 'ip', ...counts, results, not_asked: [], checked_at_ms: atMs };
}

function known(...providers: string[]): Listing[] {
  const first = look(1, ...providers.map((provider) => result(provider, 'listed')));
  return settle([], first, { ...first, checked_at_ms: 2 }, LISTS).listings;
}

const providers = (listings: readonly Listing[]) => listings.map(({ provider }) => provider);
const kinds = (changes: readonly { kind: string; provider: string }[]) =>
  changes.map(({ kind, provider }) => `${kind} ${provider}`);

t.test('only what contradicts what is known is asked again', async (t) => {
  const check = look(10, result('a', 'listed'), result('b', 'clean'), result('c', 'timeout'));
  t.same([...contradicting([], check)], ['a']);
  t.same([...contradicting(known('a'), check)], []);
  t.same([...contradicting(known('b'), check)], ['a', 'b']);
  t.same([...contradicting(known('a', 'c'), check)], [], 'silence contradicts nothing');
});

t.test('a listing is believed when two looks agree, with both kept as evidence', async (t) => {
  const first = look(10, result('a', 'listed', { reason: 'one' }), result('b', 'clean'));
  const again = look(20, result('a', 'listed', { reason: 'two', codes: ['127.0.0.3'] }));
  const settled = settle([], first, again, LISTS);
  t.same(kinds(settled.changes), ['listed a']);
  t.match(settled.listings, [
    {
      ...{ provider: 'a', provider_name: 'A', zone: 'a.example', reason: 'two', codes: ['127.0.0.3'] },
      ...{ listed_since_ms: 10, seen_at_ms: 20 },
      evidence: {
        first: { at_ms: 10, codes: ['127.0.0.2'], reason: 'one' },
        confirmed: { at_ms: 20, codes: ['127.0.0.3'], reason: 'two' },
        tested: true,
      },
    },
  ]);
  t.same(
    settled.results.map(({ provider, reason }) => [provider, reason]),
    [
      ['a', 'two'],
      ['b', null],
    ],
    'the newest result of each list is the one that is shown',
  );
});

t.test('looks that do not agree change nothing', async (t) => {
  for (const status of ['clean', 'timeout', 'error', 'blocked', 'invalid'] as const) {
    const settled = settle([], look(10, result('a', 'listed')), look(20, result('a', status)), LISTS);
    t.same([settled.listings, settled.changes], [[], []], `listed, then ${status}`);
    t.equal(settled.results[0]?.status, status);
  }
  for (const status of ['listed', 'timeout', 'error', 'blocked', 'invalid'] as const) {
    const settled = settle(known('a'), look(10, result('a', 'clean')), look(20, result('a', status)), LISTS);
    t.same([providers(settled.listings), settled.changes], [['a'], []], `clean, then ${status}`);
  }
  t.same(settle([], look(10, result('a', 'listed')), null, LISTS).listings, [], 'one look alone');
});

t.test('delisted by two looks; silence, refusal and a failing list keep the listing', async (t) => {
  const gone = settle(
    known('a', 'b'),
    look(10, result('a', 'clean'), result('b', 'listed')),
    look(20, result('a', 'clean')),
    LISTS,
  );
  t.same([providers(gone.listings), kinds(gone.changes)], [['b'], ['delisted a']]);
  t.equal(gone.listings[0]?.seen_at_ms, 10);
  for (const status of ['timeout', 'error', 'blocked', 'invalid'] as const) {
    const kept = settle(known('a'), look(10, result('a', status)), null, LISTS);
    t.same([providers(kept.listings), kept.changes], [['a'], []], status);
    t.equal(kept.listings[0]?.seen_at_ms, 2, 'when it was last seen stays');
  }
});

t.test('a policy that becomes a listing is news, and listed since then', async (t) => {
  const policy = result('a', 'listed', { policy: true });
  const before = settle([], look(10, policy), look(20, policy), LISTS).listings;
  t.equal(before[0]?.policy, true);
  t.same([...contradicting(before, look(30, policy))], []);
  const check = look(30, result('a', 'listed'));
  t.same([...contradicting(before, check)], ['a']);
  const now = settle(before, check, look(40, result('a', 'listed')), LISTS);
  t.same(kinds(now.changes), ['listed a']);
  t.match(now.listings, [{ policy: false, listed_since_ms: 30 }]);
});

t.test('a list that left the catalogue, or cannot be asked for a week, is dropped', async (t) => {
  const without = new Map([...LISTS].filter(([id]) => id !== 'a'));
  const dropped = settle(known('a', 'b'), look(10, result('b', 'listed')), null, without);
  t.same([providers(dropped.listings), kinds(dropped.changes)], [['b'], ['dropped a']]);
  t.same(providers(settle(known('a'), look(DAY_MS), null, LISTS).listings), ['a'], 'not asked for a day');
  t.same(kinds(settle(known('a'), look(8 * DAY_MS), null, LISTS).changes), ['dropped a'], 'not asked for a week');
});

t.test('a domain keeps which of its addresses are listed', async (t) => {
  const addresses = [
    { address: '192.0.2.1', status: 'clean' as const, codes: [], reason: null },
    { address: '192.0.2.2', status: 'listed' as const, codes: ['127.0.0.2'], reason: null },
  ];
  const look1 = look(10, result('a', 'listed', { addresses }));
  t.same(settle([], look1, look1, LISTS).listings[0]?.addresses, ['192.0.2.2']);
});
