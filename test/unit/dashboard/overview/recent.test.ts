import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en-GB'] } });

interface Line {
  id: string;
  type: string;
  actor: string;
  resource: { type: string; id: string; name: string };
  metadata: Record<string, unknown>;
}

interface Page {
  data: Line[];
  next_cursor: string | null;
}

interface Change {
  newest: Line;
  times: number;
  objects: number;
  hasMore: boolean;
}

const OVERVIEW = 'parts/overview';
interface Changes {
  changes: Change[];
  hasMore: boolean;
}

const recent = await browserModule<{
  changesOf(
    readPage: (cursor: string) => Promise<Page>,
    onFirst: (changes: Changes) => Promise<void>,
  ): Promise<Changes>;
  outagesOf(
    page: { data: object[]; next_cursor: string | null },
    fromMs: number,
  ): {
    outages: { newest: { id: string }; count: number; together: object[] | null; hasMore: boolean }[];
    hasMore: boolean;
  };
}>(`${OVERVIEW}/recent.ts`);
const { outagesOf } = recent;
const changesOf = (readPage: (cursor: string) => Promise<Page>) => recent.changesOf(readPage, async () => {});
const { outageSentence } = await browserModule<{ outageSentence(outage: object, words: object): readonly unknown[] }>(
  `${OVERVIEW}/outage-sentence.ts`,
);
const { repeated } = await browserModule<{
  repeated(line: object, objects: number, hasMore: boolean, words: object): string;
}>(`${OVERVIEW}/happened/happened.ts`);
const { en } = await browserModule<{ en: { outages: object } }>(`${OVERVIEW}/happened/texts/en.ts`);
const { de } = await browserModule<{ de: object }>(`${OVERVIEW}/happened/texts/de.ts`);

const ANNA = 'anna@example.com';
const line = (type: string, of: string, more: Partial<Line> = {}): Line => ({
  ...{ id: `${type} ${of}`, type, actor: ANNA, metadata: {} },
  resource: { type: 'monitor', id: of, name: of },
  ...more,
});
const many = (count: number, make: (index: number) => Line): Line[] => Array.from({ length: count }, (_, n) => make(n));

/** Returns a timeline of these lines, with pages of ten, and the cursors that were asked for. */
function timeline(lines: readonly Line[]) {
  const cursors: string[] = [];
  return {
    cursors,
    async read(cursor: string): Promise<Page> {
      cursors.push(cursor);
      const from = Number(cursor);
      return { data: lines.slice(from, from + 10), next_cursor: from + 10 < lines.length ? String(from + 10) : null };
    },
  };
}

t.test('log-ins do not hide what happened before them', async (t) => {
  const logIns = many(30, (n) => line('audit.auth.login', String(n)));
  const { read, cursors } = timeline([...logIns, line('audit.site.created', 'shop')]);
  const { changes, hasMore } = await changesOf(read);
  t.same(
    changes.map(({ newest }) => newest.type),
    ['audit.site.created'],
  );
  t.equal(hasMore, false, 'the whole day was read');
  t.same(cursors, ['', '10', '20', '30']);
});

t.test('what the first page has is known before older changes are read', async (t) => {
  const first: (Changes & { read: number })[] = [];
  const changesBy = async (lines: readonly Line[]) => {
    const { read, cursors } = timeline(lines);
    first.length = 0;
    await recent.changesOf(read, async (changes) => void first.push({ ...changes, read: cursors.length }));
    return first.map(({ changes, hasMore, read }) => [changes.map(({ times }) => times), hasMore, read]);
  };
  const site = (count: number) => many(count, () => line('audit.site.updated', 'shop'));
  t.same(await changesBy(site(25)), [[[10], true, 1]], 'once, however many pages are read');
  t.same(await changesBy(site(5)), [], 'there are no older ones');
  const logIns = many(10, (n) => line('audit.auth.login', String(n)));
  t.same(await changesBy([...logIns, ...site(5)]), [], 'it has none');
});

t.test('a day of which only a part was read is not called quiet', async (t) => {
  const { read, cursors } = timeline(many(60, (n) => line('monitor.status_changed', String(n))));
  t.same(await changesOf(read), { changes: [], hasMore: true });
  t.equal(cursors.length, 5);
});

t.test('more than what is shown is said, and nothing more is read for it', async (t) => {
  const different = (count: number) => timeline(many(count, (n) => line('audit.site.created', String(n))));
  const all = different(40);
  const { changes, hasMore } = await changesOf(all.read);
  t.equal(changes.length, 12);
  t.equal(hasMore, true);
  t.equal(all.cursors.length, 2);
  const exact = await changesOf(different(12).read);
  t.equal(exact.changes.length, 12);
  t.equal(exact.hasMore, false);
  t.same(await changesOf(timeline([]).read), { changes: [], hasMore: false });
});

t.test('what one person did to many monitors, and again and again to one, is one line each', async (t) => {
  const lines = [
    ...many(32, (n) => line('audit.monitor.updated', `mon_${n}`)),
    ...many(3, () => line('audit.site.created', 'site_1')),
    line('audit.monitor.updated', 'mon_1', { actor: 'ben@example.com' }),
  ];
  const { changes } = await changesOf(timeline(lines).read);
  t.same(
    changes.map(({ newest, times, objects }) => [newest.type, newest.actor, times, objects]),
    [
      ['audit.monitor.updated', ANNA, 32, 32],
      ['audit.site.created', ANNA, 3, 1],
      ['audit.monitor.updated', 'ben@example.com', 1, 1],
    ],
  );
  t.equal(repeated(lines[0] as Line, 32, false, en), `${ANNA} changed 32 monitors.`);
  t.equal(repeated(lines[0] as Line, 32, false, de), `${ANNA} hat 32 Monitore geändert.`);
  t.end();
});

t.test('a number of which only a part was read is the least that it can be', async (t) => {
  const lines = many(80, (n) => line('audit.monitor.created', `mon_${n}`));
  const [cut] = (await changesOf(timeline(lines).read)).changes;
  t.match(cut, { objects: 50, hasMore: true });
  t.equal(repeated(lines[0] as Line, 50, true, en), `${ANNA} created at least 50 monitors.`);
  t.equal(repeated(lines[0] as Line, 50, true, de), `${ANNA} hat mindestens 50 Monitore angelegt.`);
  const [whole] = (await changesOf(timeline(lines.slice(0, 45)).read)).changes;
  t.match(whole, { objects: 45, hasMore: false });
  const one = await changesOf(timeline([line('audit.site.created', 'shop'), ...lines]).read);
  t.equal(one.changes[0]?.hasMore, false, 'what was done once was done once');
});

t.test('the rows of a bulk change are in its own line', async (t) => {
  // The client chooses the id of its requests, so it is the same for other changes too.
  const metadata = { request_id: 'req_1' };
  const lines = [
    line('audit.monitor.deleted', 'mon_9', { metadata }),
    line('audit.monitor.updated', 'mon_8', { metadata: { ...metadata, bulk_id: 'blk_2' } }),
    ...many(8, (n) => line('audit.monitor.updated', `mon_${n}`, { metadata: { ...metadata, bulk_id: 'blk_1' } })),
    line('audit.monitor.bulk_changed', 'blk_1', { metadata: { ...metadata, operation: 'set', monitors: 8 } }),
  ];
  const { changes } = await changesOf(timeline(lines).read);
  t.same(
    changes.map(({ newest, times }) => [newest.type, times]),
    [
      ['audit.monitor.deleted', 1],
      ['audit.monitor.updated', 1],
      ['audit.monitor.bulk_changed', 1],
    ],
  );
  t.end();
});

const incident = (id: string, of: string, minute: number, more: object = {}) => ({
  ...{ id, kind: 'monitor', resource: { type: 'monitor', id: of, name: of }, resolution: 'recovered' },
  ...{ started_at: `2026-01-31T12:${String(minute).padStart(2, '0')}:00Z`, resolved_at: '2026-01-31T13:00:00Z' },
  ...{ facts: null, message: 'It is down.' },
  ...more,
});

t.test('outages have a place of their own, and a monitor that flaps is one line', (t) => {
  const data = [
    incident('new', 'flapping', 50),
    incident('other', 'shop', 40, { resolution: 'manual' }),
    ...Array.from({ length: 8 }, (_, n) => incident(`old_${n}`, 'flapping', 30 - n)),
    incident('yesterday', 'blog', 1, { resolved_at: '2026-01-30T13:00:00Z' }),
  ];
  const { outages, hasMore } = outagesOf({ data, next_cursor: 'older' }, Date.parse('2026-01-30T14:00:00Z'));
  t.same(
    outages.map(({ newest, count }) => [newest.id, count]),
    [
      ['new', 9],
      ['other', 1],
    ],
  );
  t.equal(hasMore, false, 'what is older is of another day');
  const [flapping, shop] = outages.map((outage) => outageSentence(outage, en.outages).filter((part) => part !== ''));
  t.match(flapping, ['9 outages, last ', { at: '2026-01-31T12:50:00Z' }, '.']);
  t.same(shop, ['Down. A person resolved the incident after 20 min.']);
  t.end();
});

t.test('monitors that went down together are one line, also when it is over', (t) => {
  const outage = { type: 'outage', failing: 3, of: 3, error: { code: 'status_mismatch' }, has_other_errors: false };
  const open = { facts: outage, resolved_at: null };
  const over = { facts: outage, resolved_at: '2026-01-31T12:27:19Z' };
  const rows = (count: number, more: object) =>
    Array.from({ length: count }, (_, n) => incident(`of_${n}`, `node_${n}`, 20, more));
  const alone = incident('alone', 'shop', 50, open);
  const said = (outage: object | undefined) =>
    outageSentence(outage as object, en.outages)
      .map((part) => (typeof part === 'string' ? part : (part as { at: string }).at))
      .join('');
  const fromMs = Date.parse('2026-01-31T00:00:00Z');
  const all = outagesOf({ data: [alone, ...rows(189, open)], next_cursor: null }, fromMs);
  t.same(
    all.outages.map(({ count, together }) => [count, together?.length]),
    [
      [1, undefined],
      [189, 189],
    ],
  );
  t.equal(all.hasMore, false);
  t.equal(said(all.outages[0]), 'Down since 2026-01-31T12:50:00Z. The locations reported an unexpected HTTP status.');
  t.equal(
    said(all.outages[1]),
    'Down together since 2026-01-31T12:20:00Z. The locations reported an unexpected HTTP status.',
  );
  const ended = outagesOf({ data: rows(189, over), next_cursor: 'older' }, fromMs).outages;
  t.equal(said(ended[0]), 'Down together, for up to 7 min 19 s. The locations reported an unexpected HTTP status.');
  t.equal(ended[0]?.hasMore, true, 'the page is full of them');
  const [some] = outagesOf(
    { data: [...rows(188, over), ...rows(189, open).slice(188)], next_cursor: null },
    fromMs,
  ).outages;
  t.match(said(some), /1 is still down\./);
  const mixed = [incident('last', 'node_188', 21, open), ...rows(188, over)];
  const [lasting] = outagesOf({ data: mixed, next_cursor: null }, fromMs).outages;
  t.match(
    said(lasting),
    /^Down together since 2026-01-31T12:21:00Z\. 1 is still down\./,
    'what is over does not count',
  );
  const closed = { ...over, resolution: 'manual', resolved_at: '2026-01-31T12:50:00Z' };
  const [byPeople] = outagesOf({ data: rows(9, closed), next_cursor: null }, fromMs).outages;
  t.match(said(byPeople), /^Down together\. People resolved the incidents after up to 30 min\./);
  const partly = [...rows(9, closed).slice(0, 2), ...rows(9, over).slice(2)];
  const [someByPeople] = outagesOf({ data: partly, next_cursor: null }, fromMs).outages;
  t.match(said(someByPeople), /^Down together, for up to 7 min 19 s\. People resolved 2 of the incidents\./);
  const few = outagesOf({ data: rows(8, open), next_cursor: null }, fromMs).outages;
  t.equal(few.length, 8, 'as long as they fit, each has a line');
  t.end();
});
