import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

interface ComponentInput {
  key: string;
  id: string | null;
  name: string;
  description: string;
  kind: 'monitor' | 'server' | 'tag';
  target: string;
  show_each: boolean;
}
interface GroupInput {
  key: string;
  name: string;
  components: ComponentInput[];
}
interface Target {
  id: string;
  name: string;
  tags: string[];
}
type Input = Record<string, unknown> & { groups: GroupInput[] };
type Direction = 'up' | 'down';

const { FIELDS, inputOf, pageBody, patchBody } = await browserModule<{
  FIELDS: string[];
  inputOf(page: object): Input;
  pageBody(input: object): Record<string, unknown>;
  patchBody(input: object, changed: string[]): unknown;
}>('parts/status-pages/form/input.ts');
const { optionsOf, unusedOptions } = await browserModule<{
  optionsOf(targets: { monitors: Target[]; servers: Target[] }): { value: string }[];
  unusedOptions(options: object[], groups: GroupInput[]): { value: string }[];
}>('parts/status-pages/form/options.ts');
const { moved, newGroupKey } = await browserModule<{
  moved(groups: GroupInput[], key: string, direction: Direction): GroupInput[];
  newGroupKey(groups: GroupInput[]): string;
}>('parts/status-pages/form/order.ts');
const { isSlug, slugOf } = await browserModule<{ isSlug(text: string): boolean; slugOf(title: string): string }>(
  'parts/status-pages/form/slug.ts',
);

const component = (name: string): ComponentInput => ({
  key: name,
  id: null,
  name,
  description: '',
  kind: 'monitor',
  target: `mon_${name}`,
  show_each: false,
});
const group = (key: string, ...names: string[]): GroupInput => ({ key, name: '', components: names.map(component) });
const shown = (groups: readonly GroupInput[]) =>
  groups.map(({ components }) => components.map(({ name }) => name).join('')).join('|');

const stored = {
  id: 'stp_1',
  slug: 'shop',
  url: 'https://picket.example/status/shop',
  title: 'Shop',
  description: null,
  time_zone: 'UTC',
  color: '#123456',
  visibility: 'password',
  has_password: true,
  incidents_after_minutes: null,
  groups: [
    {
      name: 'All',
      components: [
        {
          id: 'cmp_1',
          name: 'A',
          description: 'a',
          monitor_id: 'mon_1',
          server_id: null,
          tag: null,
          show_each: false,
        },
        {
          id: 'cmp_2',
          name: 'B',
          description: null,
          monitor_id: null,
          server_id: null,
          tag: 'web',
          show_each: true,
        },
      ],
    },
  ],
  created_by: 'ann@example.com',
  created_at: '2026-01-31T12:00:00.000Z',
  updated_at: '2026-01-31T12:00:00.000Z',
};

t.test('an address is suggested for a title', async (t) => {
  t.equal(slugOf('Müller & Söhne'), 'mueller-soehne');
  t.equal(slugOf('  Café  No. 1! '), 'cafe-no-1');
  t.equal(slugOf('שרת'), '', 'nothing of it can be in an address');
  t.equal(slugOf('A'), '', 'too short');
  const long = slugOf(`${'a'.repeat(62)} b`);
  t.ok(isSlug(long), long);
  for (const text of ['', 'ab', 'Shop', 'a--b', '-ab', 'abc-', 'a'.repeat(64)]) t.notOk(isSlug(text), text);
  for (const text of ['abc', 'shop-1', 'a'.repeat(63)]) t.ok(isSlug(text), text);
});

t.test('a component moves within its group and beyond', async (t) => {
  const groups = [group('group-0', 'A', 'B'), group('group-1'), group('group-4', 'C')];
  const cases: [key: string, direction: Direction, expected: string][] = [
    ['A', 'down', 'BA||C'],
    ['B', 'up', 'BA||C'],
    ['B', 'down', 'A|B|C'],
    ['C', 'up', 'AB|C|'],
    ['A', 'up', 'AB||C'],
    ['C', 'down', 'AB||C'],
    ['X', 'up', 'AB||C'],
  ];
  for (const [key, direction, expected] of cases)
    t.equal(shown(moved(groups, key, direction)), expected, `${key} ${direction}`);
  t.equal(newGroupKey(groups), 'group-5');
});

t.test('a stored page that was not changed is sent as it is', async (t) => {
  const { title, slug, description, time_zone, color, visibility, incidents_after_minutes } = stored;
  t.match(pageBody(inputOf(stored)), {
    title,
    slug,
    description,
    time_zone,
    color,
    visibility,
    incidents_after_minutes,
  });
  t.same(pageBody(inputOf(stored))['groups'], [
    {
      name: 'All',
      components: [
        { id: 'cmp_1', name: 'A', description: 'a', monitor_id: 'mon_1' },
        { id: 'cmp_2', name: 'B', description: null, tag: 'web', show_each: true },
      ],
    },
  ]);
  t.notOk('password' in pageBody(inputOf(stored)), 'the stored password stays');
  t.same(Object.keys(inputOf(stored)).sort(), [...FIELDS].sort(), 'conflicts are found in every field');
});

t.test('only changed fields are sent, and a password only to a page that has one', async (t) => {
  const input = { ...inputOf(stored), password: 'correct horse', shows_outages: true, incidents_after_minutes: ' 7 ' };
  t.same(patchBody(input, ['shows_outages', 'password']), { incidents_after_minutes: 7, password: 'correct horse' });
  t.same(patchBody({ ...input, visibility: 'public' }, ['visibility', 'password']), { visibility: 'public' });
  t.same(patchBody({ ...input, incidents_after_minutes: 'soon' }, ['incidents_after_minutes']), {
    incidents_after_minutes: 'soon',
  });
});

t.test('what a page shows already is not offered again', async (t) => {
  const monitors = [
    { id: 'mon_2', name: 'Beta', tags: ['web'] },
    { id: 'mon_1', name: 'Alpha', tags: [] },
  ];
  const options = optionsOf({ monitors, servers: [{ id: 'srv_1', name: 'web-1', tags: ['web', 'db'] }] });
  t.same(
    options.map(({ value }) => value),
    ['monitor:mon_1', 'monitor:mon_2', 'server:srv_1', 'tag:db', 'tag:web'],
  );
  const left = unusedOptions(options, inputOf(stored).groups).map(({ value }) => value);
  t.same(left, ['monitor:mon_2', 'server:srv_1', 'tag:db']);
});
