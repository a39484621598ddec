import t from 'tap';
import type { ListingChange } from '../../../control-plane/blacklist/documents.js';
import { PLANS } from '../../../control-plane/plans/plans.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { type BlacklistApp, startBlacklistApp } from '../../helpers/blacklist/app.js';
import { checkOf, monitorOf, resultOf } from '../../helpers/blacklist/documents.js';

const app = await startBlacklistApp();
t.teardown(() => app.stop());
const transact = createRunTransaction(app.mongo.client);
const HOUR_MS = 3_600_000;

interface Shown {
  id: string;
  checked_at: string;
  changes: { kind: string }[];
}

const change = (kind: ListingChange['kind']): ListingChange => ({
  kind,
  ...{ provider: 'spamhaus-zen', provider_name: 'Spamhaus ZEN', codes: ['127.0.0.2'], meanings: ['SBL'] },
  ...{ policy: false, reason: 'spam', delist_url: 'https://check.spamhaus.org/' },
});

/** Creates a monitor with checks at these times, and changes in some of them. */
async function withHistory(of: BlacklistApp, rows: { atMs: number; changes?: ListingChange[] }[]) {
  const monitor = monitorOf({ workspace_id: of.workspace.id });
  const checks = rows.map(({ atMs, changes = [] }) => checkOf(monitor, { checked_at_ms: atMs, changes }));
  await transact(async (tx) => {
    await of.store.insert(tx, monitor);
    for (const check of checks) await of.checks.insert(tx, check);
  });
  const path = `/api/v1/blacklist/monitors/${monitor._id}/history`;
  return {
    monitor,
    checks,
    path,
    async read(query = '') {
      const answer = await of.request<Shown[]>('GET', `${path}${query}`);
      if (answer.status !== 200) throw new Error(`${query}: ${answer.text}`);
      return answer.body;
    },
  };
}

t.test('a check shows its results and its changes', async (t) => {
  const atMs = Date.now() - HOUR_MS;
  const { monitor, read } = await withHistory(app, []);
  await transact((tx) =>
    app.checks.insert(
      tx,
      checkOf(monitor, {
        ...{ checked_at_ms: atMs, score: 50, rating: 'listed', listed: 1, clean: 1, responding: 2, asked: 3 },
        changes: [change('listed')],
        results: [
          resultOf({ status: 'listed', codes: ['127.0.0.2'] }),
          resultOf({ provider: 'gone', status: 'error' }),
        ],
      }),
    ),
  );
  t.match(await read(), {
    data: [
      {
        id: /^blc_/,
        checked_at: new Date(atMs).toISOString(),
        ...{ score: 50, rating: 'listed', listed: 1, clean: 1, responding: 2, asked: 3 },
        changes: [
          { kind: 'listed', provider: 'spamhaus-zen', name: 'Spamhaus ZEN', meanings: ['SBL'], reason: 'spam' },
        ],
        results: [
          { provider: 'spamhaus-zen', name: 'Spamhaus ZEN', status: 'listed', codes: ['127.0.0.2'] },
          { provider: 'gone', name: 'gone', status: 'error' },
        ],
      },
    ],
    next_cursor: null,
  });
});

t.test('the history is newest first, filtered by time and change, and paginated', async (t) => {
  const nowMs = Date.now() - HOUR_MS;
  const rows = Array.from({ length: 25 }, (_, n) => ({
    // Some checks have the same millisecond.
    atMs: nowMs - Math.floor(n / 3) * HOUR_MS,
    changes: n % 5 === 0 ? [change(n % 2 === 0 ? 'listed' : 'delisted')] : [],
  }));
  const { checks, path, read } = await withHistory(app, rows);
  await withHistory(app, [{ atMs: nowMs }]);
  const newestFirst = [...checks].sort((a, b) => b.checked_at_ms - a.checked_at_ms || (a._id < b._id ? 1 : -1));
  const ids = (found: { _id: string }[]) => found.map(({ _id }) => _id);
  const shown = (body: { data: Shown[] }) => body.data.map(({ id }) => id);
  t.strictSame(shown(await read()), ids(newestFirst), 'and no check of another monitor');
  const changed = newestFirst.filter(({ changes }) => changes.length > 0);
  t.strictSame(shown(await read('?changed=true')), ids(changed));
  t.strictSame(shown(await read('?changed=false')), ids(newestFirst));
  const iso = (ms: number) => new Date(ms).toISOString();
  const between = newestFirst.filter(({ checked_at_ms: ms }) => ms >= nowMs - 4 * HOUR_MS && ms <= nowMs - 2 * HOUR_MS);
  const range = `from=${iso(nowMs - 4 * HOUR_MS)}&to=${iso(nowMs - 2 * HOUR_MS)}`;
  t.equal(between.length, 9);
  t.strictSame(shown(await read(`?${range}`)), ids(between), 'both ends included');
  for (const [filter, expected] of [
    ['', newestFirst],
    [`&${range}`, between],
    ['&changed=true', changed],
  ] as const) {
    const walked: string[] = [];
    for (let cursor: string | null | undefined = ''; cursor !== null && cursor !== undefined; ) {
      const page: { data: Shown[]; next_cursor?: string | null } = await read(
        `?limit=2${filter}${cursor === '' ? '' : `&cursor=${cursor}`}`,
      );
      walked.push(...shown(page));
      cursor = page.next_cursor;
    }
    t.strictSame(walked, ids(expected), `paginated: ${filter}`);
  }
  const { next_cursor } = await read('?limit=2');
  const other = await withHistory(app, [{ atMs: nowMs }]);
  t.equal((await app.request('GET', `${other.path}?limit=2&cursor=${next_cursor}`)).status, 422, 'of another monitor');
  for (const query of [
    `?from=${iso(nowMs)}&to=${iso(nowMs - 1)}`,
    '?from=yesterday',
    '?changed=maybe',
    '?limit=201',
    '?colour=red',
  ]) {
    t.equal((await app.request('GET', `${path}${query}`)).status, 422, query);
  }
});

t.test('the history goes back as far as the plan keeps hourly values, even if older checks still exist', async (t) => {
  const small = await startBlacklistApp({ plan: 'Free', beside: app });
  t.teardown(() => small.stop());
  const keptMs = PLANS.Free.hoursSeconds * 1_000;
  const nowMs = Date.now();
  const { checks, read } = await withHistory(small, [
    { atMs: nowMs - keptMs + 60_000 },
    { atMs: nowMs - keptMs - 60_000 },
  ]);
  t.strictSame(
    (await read()).data.map(({ id }) => id),
    [checks[0]?._id],
  );
  t.strictSame((await read(`?from=2000-01-01T00:00:00Z`)).data.length, 1);
});

t.test('rare changes are found with their own index', async (t) => {
  const { read } = await withHistory(app, [{ atMs: Date.now() - HOUR_MS, changes: [change('listed')] }]);
  const history = app.mongo.db.collection('blacklist_checks');
  const used = async () => {
    const rows = await history.aggregate<{ name: string; accesses: { ops: number } }>([{ $indexStats: {} }]).toArray();
    return new Map(rows.map(({ name, accesses }) => [name, Number(accesses.ops)]));
  };
  const before = await used();
  await read('?changed=true');
  const after = await used();
  t.equal((after.get('changed') ?? 0) - (before.get('changed') ?? 0), 1);
  await read();
  t.equal((await used()).get('changed'), after.get('changed'), 'which other queries do not use');
  const indexes = await history.indexes();
  t.ok(
    indexes.some(({ key, expireAfterSeconds }) => key['expires_at'] === 1 && expireAfterSeconds === 0),
    'expired checks are deleted',
  );
});
