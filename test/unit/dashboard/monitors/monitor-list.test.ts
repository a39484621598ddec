import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type Filter = { q?: string; tag?: string; status?: string; type?: string };
type Row = { monitor: { id: string; name: string }; state: string };
type Item = { kind: 'monitor'; row: Row } | { kind: 'group'; tag: string | null; count: number; down: number };
type Selection = { kind: 'ids'; ids: Set<string> } | { kind: 'matching'; filter: Filter; except: Set<string> };
type Search = Record<string, unknown>;

const LIST = 'parts/monitors/list';
const { listed, createMatcher, sorted } = await browserModule<{
  listed(monitor: object): Row;
  createMatcher(rows: readonly Row[]): (filter: Filter) => Row[];
  sorted(rows: readonly Row[], sort: string, window: string): Row[];
}>(`${LIST}/listed.ts`);
const { groupedByTag, ungrouped, nextMonitor, idsBetween } = await browserModule<{
  groupedByTag(rows: readonly Row[]): Item[];
  ungrouped(rows: readonly Row[]): Item[];
  nextMonitor(items: readonly Item[], index: number, step: 1 | -1): number | null;
  idsBetween(items: readonly Item[], from: number, to: number): string[];
}>(`${LIST}/items.ts`);
const { allMatching, isSelected, NOTHING, selectedCount, withSelected } = await browserModule<{
  NOTHING: Selection;
  allMatching(filter: Filter, matching: () => string[]): Selection;
  isSelected(selection: Selection, id: string): boolean;
  selectedCount(selection: Selection, matching: number): number;
  withSelected(selection: Selection, ids: string[], areSelected: boolean): Selection;
}>(`${LIST}/selection.ts`);
const { listSearch } = await browserModule<{ listSearch(parameters: Search): Search }>(`${LIST}/search.ts`);
const { isLine, nextStep, shownSteps, countSteps, responseRange } = await browserModule<{
  isLine(response: (number | null)[]): boolean;
  shownSteps(row: Row, steps: object | null | undefined, window: string): { uptime: (number | null)[] } | null;
  nextStep(at: number | null, step: 1 | -1, count: number): number;
  countSteps(uptime: (number | null)[]): object;
  responseRange(response: (number | null)[]): object | null;
}>(`${LIST}/history/shown-steps.ts`);

const row = (name: string, over: object = {}) =>
  listed({
    ...{ id: `mon_${name}`, name, url: `https://${name.toLowerCase()}.example/`, type: 'http', state: 'up', tags: [] },
    ...{ status_changed_at: '2026-01-31T10:00:00.000Z', uptime_24h: 100, coverage_24h: 100, uptime_30d: 100 },
    ...{ coverage_30d: 100, response_time_ms: 50, certificate_days_remaining: null },
    ...over,
  });
const matching = (rows: readonly Row[], filter: Filter) => createMatcher(rows)(filter);
const names = (rows: readonly Row[]) => rows.map(({ monitor }) => monitor.name);

t.test('the filter searches names and addresses in any case, and combines with tag, status and type', (t) => {
  const rows = [
    row('Shop', { tags: ['production'] }),
    row('API', { url: 'tcp://shop.internal:25', type: 'tcp', state: 'down' }),
    row('Mail'),
  ];
  t.same(names(matching(rows, { q: ' SHOP ' })), ['Shop', 'API']);
  t.same(names(matching(rows, { q: '.*' })), [], 'nothing in the text is special');
  t.same(names(matching(rows, { q: 'shop', status: 'down' })), ['API']);
  t.same(names(matching(rows, { tag: 'production' })), ['Shop']);
  t.same(names(matching(rows, { type: 'tcp' })), ['API']);
  t.equal(matching(rows, {}), rows);
  t.end();
});

t.test('a filter that is typed, narrowed and widened finds the same as one that is new', (t) => {
  const rows = [
    row('Shop', { tags: ['production'] }),
    row('Shop 2', { type: 'tcp', state: 'down' }),
    row('Mail shop', { state: 'down', tags: ['production'] }),
    row('Mail'),
  ];
  const match = createMatcher(rows);
  const filters: Filter[] = [
    ...['s', 'sh', 'SHOP ', 'shop 2', 'shop', 'hop', 'mail', ''].map((q) => ({ q })),
    ...[{ status: 'down' }, { status: 'down', q: 'mail' }, { tag: 'production', q: 'mail' }, { tag: 'production' }],
    ...[{ type: 'tcp' }, { type: 'http', q: 'shop' }, { q: 'shop' }, {}],
  ];
  for (const filter of filters) t.same(match(filter), matching(rows, filter), JSON.stringify(filter));
  const before = match({ q: 'mail' });
  t.equal(match({ q: 'mail ' }), before, 'the same list, so that nothing is drawn again');
  t.end();
});

t.test(
  'the worst is first: down, degraded, certificates, outages, waiting, up, paused; then by name with its numbers',
  (t) => {
    const rows = [
      row('Shop 10'),
      row('Shop 2'),
      row('Paused', { state: 'paused' }),
      row('New', { state: 'unknown', uptime_24h: null }),
      row('Degraded', { state: 'degraded' }),
      row('Flawed', { uptime_24h: 99.5 }),
      row('Worse', { uptime_24h: 90 }),
      row('Soon', { certificate_days_remaining: 9 }),
      row('Expired', { certificate_days_remaining: -2 }),
      row('Down', { state: 'down' }),
    ];
    const worst = ['Down', 'Degraded', 'Expired', 'Soon', 'Worse', 'Flawed', 'New', 'Shop 2', 'Shop 10', 'Paused'];
    t.same(names(sorted(rows, 'worst', '24h')), worst);
    t.same(names(matching(rows, { status: 'degraded' })), ['Degraded']);
    t.same(names(matching(rows, { status: 'unknown' })), ['New']);
    t.end();
  },
);

t.test('other orders: what is not known is last', (t) => {
  const rows = [
    row('b', { response_time_ms: null, uptime_24h: null, uptime_30d: 70, certificate_days_remaining: 20 }),
    row('c', { response_time_ms: 90, uptime_24h: 80, uptime_30d: 60, certificate_days_remaining: null }),
    row('a', { response_time_ms: 10, uptime_24h: 70, uptime_30d: 80, certificate_days_remaining: 10 }),
  ];
  t.same(names(sorted(rows, 'name', '24h')), ['a', 'b', 'c']);
  t.same(names(sorted(rows, 'response', '24h')), ['c', 'a', 'b']);
  t.same(names(sorted(rows, 'uptime', '24h')), ['a', 'c', 'b']);
  t.same(names(sorted(rows, 'uptime', '30d')), ['c', 'b', 'a']);
  t.same(names(sorted(rows, 'certificate', '24h')), ['a', 'b', 'c']);
  t.end();
});

t.test('groups: those with failures first, those without a tag last; a monitor is in each of its groups', (t) => {
  const rows = [row('x', { tags: ['web'] }), row('y'), row('z', { tags: ['web', 'db'], state: 'down' })];
  const items = groupedByTag([...rows, row('w', { tags: ['all'] })]);
  t.same(
    items.map((item) => (item.kind === 'group' ? [item.tag, item.count, item.down] : item.row.monitor.name)),
    [['db', 1, 1], 'z', ['web', 2, 1], 'x', 'z', ['all', 1, 0], 'w', [null, 1, 0], 'y'],
  );
  t.equal(nextMonitor(items, 2, 1), 3, 'keys pass over headings');
  t.equal(nextMonitor(items, 0, -1), null);
  t.same(idsBetween(items, 3, 0), ['mon_z', 'mon_x']);
  t.same(idsBetween(ungrouped(rows), 1, 2), ['mon_y', 'mon_z']);
  t.end();
});

t.test('a selection: single monitors, or all that match apart from some', (t) => {
  const some = withSelected(withSelected(NOTHING, ['a', 'b'], true), ['a'], false);
  t.same([isSelected(some, 'a'), isSelected(some, 'b'), selectedCount(some, 10)], [false, true, 1]);
  const all = allMatching({ q: 'shop' }, () => []);
  const most = withSelected(all, ['a', 'b'], false);
  t.same(most, { kind: 'matching', filter: { q: 'shop' }, except: new Set(['a', 'b']) });
  t.same([isSelected(most, 'a'), isSelected(most, 'c'), selectedCount(most, 10)], [false, true, 8]);
  t.equal(selectedCount(withSelected(most, ['a'], true), 10), 9);
  t.same(
    allMatching({ status: 'down' }, () => ['a']),
    { kind: 'matching', filter: { status: 'down' }, except: new Set() },
  );
  for (const status of ['up', 'degraded', 'unknown']) {
    t.same(
      allMatching({ status }, () => ['a']),
      { kind: 'ids', ids: new Set(['a']) },
      `${status} is another one in the API`,
    );
  }
  t.end();
});

t.test('an address that is not valid shows the whole list', (t) => {
  const valid = { q: 'shop', tag: 'a', status: 'down', type: 'ping', sort: 'uptime', group: 'tag', window: '30d' };
  t.same(listSearch(valid), valid);
  for (const status of ['up', 'degraded', 'paused', 'unknown']) t.same(listSearch({ status }), { status });
  t.same(listSearch({ q: 5 }), { q: '5' });
  t.same(listSearch({ q: '', status: 'broken', sort: 'worst', group: 1, window: '24h', other: 'x' }), {});
  t.equal(String(listSearch({ q: 'x'.repeat(1_000) })['q']).length, 200);
  t.end();
});

t.test('bars: gaps stay gaps, and the last one has what the roll-up does not have yet', (t) => {
  const steps = { uptime: [null, 100, 99, 100], response_time_ms: [null, 40, 60, 50] };
  t.same([[], [1], [null, 1, 2], [1, null, 2, 3]].map(isLine), [false, false, false, true], 'two dots are no line');
  t.equal(shownSteps(row('a'), undefined, '24h'), null, 'not read yet');
  t.same(shownSteps(row('a'), steps, '24h')?.uptime, [null, 100, 99, 100]);
  t.same(shownSteps(row('a', { state: 'down' }), steps, '24h')?.uptime, [null, 100, 99, 99.99]);
  t.same(shownSteps(row('a'), null, '24h')?.uptime, [...Array(23).fill(null), 100], 'a new monitor');
  t.equal(shownSteps(row('a'), null, '30d')?.uptime.length, 30);
  t.same(countSteps([null, 100, 99, 0]), { up: 1, flawed: 2, unobserved: 1 });
  t.same([nextStep(null, -1, 24), nextStep(23, -1, 24), nextStep(0, -1, 24), nextStep(23, 1, 24)], [23, 22, 0, 23]);
  t.same(responseRange([null, 40, 60, 50, null]), { min: 40, max: 60, last: 50 });
  t.equal(responseRange([null]), null);
  t.end();
});
