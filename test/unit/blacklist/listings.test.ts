import t from 'tap';
import type { Listing } from '../../../control-plane/blacklist/documents.js';
import { listsToConfirm, updateListings } from '../../../control-plane/blacklist/monitoring/listings.js';
import type { ListResult, ListStatus, TargetCheck } from '../../../control-plane/blacklist/results.js';

const DAY_MS = 86_400_000;
const LISTS = new Map(['a', 'b', 'c'].map((id) => [id, { name: id.toUpperCase(), zone: `${id}.example` }]));

function result(provider: string, status: ListStatus, over: Partial<ListResult> = {}): ListResult {
  const codes = status === 'listed' ? ['127.0.0.2'] : [];
  const delist_url = `https://${provider}.example/`;
  const answer = {
    codes,
    meanings: [],
    policy: false,
    reason: null,
    response_time_ms: 1,
    tested: true,
    delist_url,
    addresses: [],
  };
  return { provider, status, ...answer, ...over };
}

function checkAt(atMs: number, ...results: ListResult[]): TargetCheck {
  const counts = { score: null, rating: null, listed: 0, clean: 0, responding: 0, asked: results.length };
  return { target: '192.0.2.1', type: 'ip', ...counts, results, not_asked: [], checked_at_ms: atMs };
}

function known(...providers: string[]): Listing[] {
  const first = checkAt(1, ...providers.map((provider) => result(provider, 'listed')));
  return updateListings([], first, { ...first, checked_at_ms: 2 }, LISTS).listings;
}

const providers = (listings: readonly Listing[]) => listings.map(({ provider }) => provider);
const kinds = (changes: readonly { kind: string; provider: string }[]) =>
  changes.map(({ kind, provider }) => `${kind} ${provider}`);

t.test('only lists with a different answer are queried again', async (t) => {
  const check = checkAt(10, result('a', 'listed'), result('b', 'clean'), result('c', 'timeout'));
  t.same([...listsToConfirm([], check)], ['a']);
  t.same([...listsToConfirm(known('a'), check)], []);
  t.same([...listsToConfirm(known('b'), check)], ['a', 'b']);
  t.same([...listsToConfirm(known('a', 'c'), check)], [], 'a missing answer is not a difference');
});

t.test('a listing is accepted when two consecutive checks agree, and both are kept as evidence', async (t) => {
  const first = checkAt(10, result('a', 'listed', { reason: 'one' }), result('b', 'clean'));
  const again = checkAt(20, result('a', 'listed', { reason: 'two', codes: ['127.0.0.3'] }));
  const update = updateListings([], first, again, LISTS);
  t.same(kinds(update.changes), ['listed a']);
  t.match(update.listings, [
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
    update.results.map(({ provider, reason }) => [provider, reason]),
    [
      ['a', 'two'],
      ['b', null],
    ],
    'the latest result of each list is kept',
  );
});

t.test('checks that do not agree change nothing', async (t) => {
  for (const status of ['clean', 'timeout', 'error', 'blocked', 'invalid'] as const) {
    const update = updateListings([], checkAt(10, result('a', 'listed')), checkAt(20, result('a', status)), LISTS);
    t.same([update.listings, update.changes], [[], []], `listed, then ${status}`);
    t.equal(update.results[0]?.status, status);
  }
  for (const status of ['listed', 'timeout', 'error', 'blocked', 'invalid'] as const) {
    const update = updateListings(
      known('a'),
      checkAt(10, result('a', 'clean')),
      checkAt(20, result('a', status)),
      LISTS,
    );
    t.same([providers(update.listings), update.changes], [['a'], []], `clean, then ${status}`);
  }
  t.same(updateListings([], checkAt(10, result('a', 'listed')), null, LISTS).listings, [], 'a single check');
});

t.test('two checks delist; no answer, a refusal or a failing list keeps the listing', async (t) => {
  const gone = updateListings(
    known('a', 'b'),
    checkAt(10, result('a', 'clean'), result('b', 'listed')),
    checkAt(20, result('a', 'clean')),
    LISTS,
  );
  t.same([providers(gone.listings), kinds(gone.changes)], [['b'], ['delisted a']]);
  t.equal(gone.listings[0]?.seen_at_ms, 10);
  for (const status of ['timeout', 'error', 'blocked', 'invalid'] as const) {
    const kept = updateListings(known('a'), checkAt(10, result('a', status)), null, LISTS);
    t.same([providers(kept.listings), kept.changes], [['a'], []], status);
    t.equal(kept.listings[0]?.seen_at_ms, 2, 'the time of the latest sighting stays');
  }
});

t.test('a policy listing that becomes a real listing is a change with a new start', async (t) => {
  const policy = result('a', 'listed', { policy: true });
  const before = updateListings([], checkAt(10, policy), checkAt(20, policy), LISTS).listings;
  t.equal(before[0]?.policy, true);
  t.same([...listsToConfirm(before, checkAt(30, policy))], []);
  const check = checkAt(30, result('a', 'listed'));
  t.same([...listsToConfirm(before, check)], ['a']);
  const now = updateListings(before, check, checkAt(40, result('a', 'listed')), LISTS);
  t.same(kinds(now.changes), ['listed a']);
  t.match(now.listings, [{ policy: false, listed_since_ms: 30 }]);
});

t.test('a list that was removed, or cannot be queried for a week, is dropped', async (t) => {
  const without = new Map([...LISTS].filter(([id]) => id !== 'a'));
  const dropped = updateListings(known('a', 'b'), checkAt(10, result('b', 'listed')), null, without);
  t.same([providers(dropped.listings), kinds(dropped.changes)], [['b'], ['dropped a']]);
  t.same(providers(updateListings(known('a'), checkAt(DAY_MS), null, LISTS).listings), ['a'], 'not queried for a day');
  t.same(
    kinds(updateListings(known('a'), checkAt(8 * DAY_MS), null, LISTS).changes),
    ['dropped a'],
    'not queried for a week',
  );
});

t.test('a listing of a domain has the listed addresses', async (t) => {
  const addresses = [
    { address: '192.0.2.1', status: 'clean' as const, codes: [], reason: null },
    { address: '192.0.2.2', status: 'listed' as const, codes: ['127.0.0.2'], reason: null },
  ];
  const listed = checkAt(10, result('a', 'listed', { addresses }));
  t.same(updateListings([], listed, listed, LISTS).listings[0]?.addresses, ['192.0.2.2']);
});
