import t from 'tap';
import { startBlacklistApp } from '../../helpers/blacklist/app.js';
import { listingOf, resultOf } from '../../helpers/blacklist/documents.js';
import { last, otherWorkspace, PATH, type Shown, stored } from '../../helpers/blacklist/stored-monitors.js';

const app = await startBlacklistApp();
t.teardown(() => app.stop());

t.test('the list is newest first, filtered by status and part of the target, and paginated', async (t) => {
  const { workspace: other, key } = await otherWorkspace(app);
  const of = { workspace_id: other };
  await stored(app, { ...of, target: 'a.example.com' });
  await stored(app, {
    ...of,
    target: 'listed.example.com',
    listings: [listingOf({ policy: true }), listingOf()],
    last: last(3),
  });
  await stored(app, { ...of, target: 'policy.example.com', listings: [listingOf({ policy: true })], last: last(3) });
  await stored(app, { ...of, target: 'unanswered.example.net', last: last(0) });
  await stored(app, { ...of, target: 'unanswered-listed.example.net', listings: [listingOf()], last: last(0) });
  await stored(app, { ...of, target: 'gone.example.net', last: { ...last(2), rating: 'unresolvable', score: null } });
  await stored(app, { ...of, target: 'clean.example.net', last: last(2) });
  const list = async (query: string) => {
    const answer = await app.request<Shown[]>('GET', `${PATH}${query}`, { key });
    t.equal(answer.status, 200, query);
    return answer.body;
  };
  const names = async (query: string) => (await list(query)).data.map(({ target }) => target);
  const all = [
    'clean.example.net',
    'gone.example.net',
    'unanswered-listed.example.net',
    'unanswered.example.net',
    'policy.example.com',
    'listed.example.com',
    'a.example.com',
  ];
  t.strictSame(await names(''), all);
  for (const status of ['listed', 'clean', 'unknown']) {
    const shown = (await list('')).data.filter((row) => row.status === status).map(({ target }) => target);
    t.strictSame(await names(`?status=${status}`), shown, `the filter agrees with the shown status: ${status}`);
  }
  t.strictSame(await names('?status=listed'), ['unanswered-listed.example.net', 'listed.example.com']);
  t.strictSame(await names('?status=clean'), ['clean.example.net', 'policy.example.com']);
  t.strictSame(await names('?status=unknown'), ['gone.example.net', 'unanswered.example.net', 'a.example.com']);
  t.strictSame(await names('?q=EXAMPLE.NET&status=listed'), ['unanswered-listed.example.net']);
  t.strictSame(await names('?q=.*'), [], 'as text, not as a pattern');
  const walked: string[] = [];
  let cursor: string | null | undefined = '';
  while (cursor !== null && cursor !== undefined) {
    const page: { data: Shown[]; next_cursor?: string | null } = await list(
      `?limit=4${cursor === '' ? '' : `&cursor=${cursor}`}`,
    );
    walked.push(...page.data.map(({ target }) => target));
    // A new monitor is before the first page, and a deleted one leaves no gap.
    if (cursor === '') await stored(app, { ...of, target: 'new.example.com' });
    cursor = page.next_cursor;
  }
  t.strictSame(walked, all);
  const first = await list('?limit=1');
  t.equal(
    (await app.request('GET', `${PATH}?limit=1&cursor=${first.next_cursor}`)).status,
    422,
    'of another workspace',
  );
  for (const query of ['?status=up', '?limit=0', '?limit=201', '?q=', '?colour=red']) {
    t.equal((await app.request('GET', `${PATH}${query}`)).status, 422, query);
  }
});

t.test('a checked monitor shows all its results', async (t) => {
  const atMs = Date.UTC(2026, 0, 31, 12);
  const monitor = await stored(app, {
    target: 'mx.example.com',
    listings: [
      listingOf({ addresses: ['198.51.100.7'], reason: 'spam', listed_since_ms: atMs, seen_at_ms: atMs + 1_000 }),
    ],
    last: { ...last(2), score: 50, rating: 'listed', listed: 1, clean: 1, checked_at_ms: atMs },
    results: [
      resultOf({
        ...{ status: 'listed', codes: ['127.0.0.2'], meanings: ['SBL'], response_time_ms: 1.23456 },
        addresses: [{ address: '198.51.100.7', status: 'listed', codes: ['127.0.0.2'], reason: 'spam' }],
      }),
      resultOf({ provider: 'no-longer-there', status: 'timeout', response_time_ms: null, delist_url: null }),
    ],
    not_asked: [{ provider: 'spamcop', reason: 'no IPv6' }],
  });
  t.match((await app.request('GET', `${PATH}/${monitor._id}`)).body.data, {
    ...{ status: 'listed', score: 50, rating: 'listed', listed: 1, clean: 1, responding: 2, asked: 12 },
    listings: [
      {
        ...{ provider: 'spamhaus-zen', name: 'Spamhaus ZEN', zone: 'zen.spamhaus.org', addresses: ['198.51.100.7'] },
        ...{ listed_since: '2026-01-31T12:00:00.000Z', seen_at: '2026-01-31T12:00:01.000Z', reason: 'spam' },
      },
    ],
    results: [
      {
        provider: 'spamhaus-zen',
        name: 'Spamhaus ZEN',
        response_time_ms: 1.2,
        addresses: [{ address: '198.51.100.7' }],
      },
      { provider: 'no-longer-there', name: 'no-longer-there', status: 'timeout', response_time_ms: null },
    ],
    not_asked: [{ provider: 'spamcop', name: 'SpamCop', reason: 'no IPv6' }],
    last_checked_at: '2026-01-31T12:00:00.000Z',
  });
});

t.test('the directory returns every listed monitor of all workspaces, by id', async (t) => {
  const ids: string[] = [];
  for (let n = 0; n < 5; n++) {
    ids.push(
      (await stored(app, { workspace_id: `ws_${n}`, listings: [listingOf({ policy: true }), listingOf()] }))._id,
    );
  }
  await stored(app, { listings: [listingOf({ policy: true })] });
  const found: string[] = [];
  for (let after: string | null = null; ; ) {
    const page: { _id: string }[] = await app.store.listed(after, 2);
    found.push(...page.map(({ _id }) => _id));
    after = page.at(-1)?._id ?? null;
    if (page.length < 2) break;
  }
  t.strictSame(found, [...found].sort());
  t.ok(ids.every((id) => found.includes(id)));
  t.strictSame(new Set(found).size, found.length);
  t.equal(
    await app.mongo.db.collection('blacklist_monitors').countDocuments({ 'listings.policy': false }),
    found.length,
  );
  const plan = JSON.stringify(
    await app.mongo.db
      .collection('blacklist_monitors')
      .find({ 'listings.policy': false, _id: { $gt: ids[0] as never } })
      .sort({ _id: 1 })
      .explain('queryPlanner'),
  );
  t.match(plan, /listings\.policy_1__id_1/, 'uses its index');
  t.notMatch(plan.slice(0, plan.indexOf('rejectedPlans')), /"SORT"/);
});
