import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

type Keys = readonly (readonly string[])[];

const { affectedKeys, isAffected, namedIds } = await browserModule<{
  affectedKeys(event: string, data: unknown): Keys;
  isAffected(queryKey: readonly unknown[], start: readonly string[]): boolean;
  namedIds(queryKey: readonly unknown[], starts: Keys): readonly string[] | null;
}>('app/live/reading/affected-keys.ts');
const { createFrameReader } = await browserModule<{ createFrameReader(): (text: string) => unknown[] }>(
  'app/live/frames.ts',
);
const { backoffMs, gapMs } = await browserModule<{
  backoffMs(attempt: number, random: number): number;
  gapMs(reads: number, perMinute: number | null): number;
}>('app/live/pace.ts');
const { livenessOf } = await browserModule<{
  livenessOf(
    stream: string,
    shown: readonly { updatedAtMs: number; isInvalidated: boolean; isFailing: boolean }[],
    provenMs: number,
    how: { whenOpen: 'live' | 'polled' | 'waiting'; heldBy: 'logged_out' | 'elsewhere' | null },
  ): { state: string; since: string | null };
}>('app/live/freshness.ts');

/** Whether an event makes a page read the query again. */
const concerns = (event: string, data: unknown, queryKey: readonly unknown[]) =>
  affectedKeys(event, data).some((start) => isAffected(queryKey, start));

t.test('a change of status concerns the object, the lists of its kind and the timeline, and nothing else', (t) => {
  const event = ['monitor', { id: 'mon_1', name: 'Shop', status: 'down' }] as const;
  t.ok(concerns(...event, ['monitor', 'mon_1']));
  t.ok(concerns(...event, ['monitor', 'mon_1', 'results']));
  t.ok(concerns(...event, ['monitors', 'list', { q: 'shop' }]));
  t.ok(concerns(...event, ['timeline']));
  t.notOk(concerns(...event, ['monitor', 'mon_2']));
  t.notOk(concerns(...event, ['incidents', 'firing']));
  t.notOk(concerns(...event, ['servers']));
  t.ok(concerns('server', { id: 'srv_1' }, ['server', 'srv_1', 'metrics']));
  t.end();
});

t.test('an incident concerns what it is about', (t) => {
  const data = { id: 'inc_1', change: 'opened', resource: { type: 'blacklist_monitor', id: 'blm_1' } };
  t.ok(concerns('incident', data, ['incident', 'inc_1']));
  t.ok(concerns('incident', data, ['incidents', 'firing']));
  t.ok(concerns('incident', data, ['blacklist-monitor', 'blm_1']));
  t.ok(concerns('incident', data, ['blacklist-monitors']));
  t.notOk(concerns('incident', data, ['monitors', 'some', 'down']));
  t.end();
});

t.test('a change of settings concerns the kind of the object', (t) => {
  const change = (action: string, type: string) => ({ action, resource: { type, id: 'x_1' } });
  t.ok(concerns('change', change('alert_rule.updated', 'alert_rule'), ['alert-rules']));
  t.ok(concerns('change', change('monitor.updated', 'monitor'), ['audit', {}]));
  t.notOk(concerns('change', change('monitor.updated', 'monitor'), ['billing']));
  t.ok(concerns('change', change('monitor.created', 'monitor'), ['billing']), 'how many there are');
  t.ok(concerns('change', change('team.role_changed', 'user'), ['team', 'members']));
  t.ok(concerns('change', change('team.role_changed', 'user'), ['account']));
  t.ok(concerns('change', change('workspace.updated', 'workspace'), ['account']));
  t.ok(concerns('change', change('monitor.bulk_updated', 'bulk_job'), ['monitors', 'list']));
  t.ok(concerns('change', change('monitor.bulk_updated', 'bulk_job'), ['monitor', 'mon_7']), 'it names none of them');
  t.end();
});

t.test('what it does not know concerns nothing', (t) => {
  for (const data of [null, 'text', {}, { id: 7, resource: 'x' }, { resource: { type: 5 } }]) {
    t.notOk(concerns('incident', data, ['monitor', 'mon_1']));
    t.notOk(concerns('change', data, ['monitors']));
    t.same(affectedKeys('news', data), []);
  }
  t.end();
});

t.test('events name the objects of a long list, or the whole list is read', (t) => {
  const one = (id: string) => affectedKeys('monitor', { id });
  const all = affectedKeys('change', { action: 'monitor.bulk_updated', resource: { type: 'bulk_job', id: 'job_1' } });
  const many = Array.from({ length: 101 }, (_, index) => one(`mon_${index}`)).flat();
  t.same(namedIds(['monitors', 'summary'], [...one('mon_1'), ['monitor', 'mon_2']]), ['mon_1', 'mon_2']);
  t.equal(namedIds(['monitors', 'summary'], [...one('mon_1'), ...all]), null, 'it names none of them');
  t.equal(namedIds(['monitors', 'summary'], [...one('mon_1'), []]), null, 'everything');
  t.equal(namedIds(['monitors', 'summary'], many), null, 'too many');
  t.equal(namedIds(['servers'], one('mon_1')), null);
  t.end();
});

t.test('frames come in any pieces', (t) => {
  const text = 'retry: 2000\n\nevent: monitor\ndata: {"id":"mon_1"}\nid: 7-1\n\n: heartbeat\nid: 8\n\n';
  const all = [
    { event: null, data: null, id: null },
    { event: 'monitor', data: { id: 'mon_1' }, id: '7-1' },
    { event: null, data: null, id: '8' },
  ];
  t.same(createFrameReader()(text), all);
  const read = createFrameReader();
  t.same([...text].flatMap(read), all, 'one character at a time');
  t.throws(() => createFrameReader()('x'.repeat(1_000_001)), 'a text without an end takes no memory');
  t.end();
});

t.test('attempts to connect come further apart, and not at the same time', (t) => {
  t.same(
    [0, 1, 2, 3, 10, 1_000].map((attempt) => backoffMs(attempt, 1)),
    [1_000, 2_000, 4_000, 8_000, 30_000, 30_000],
  );
  t.equal(backoffMs(2, 0), 2_000);
  t.end();
});

t.test('what follows events takes at most half of the requests of the plan', (t) => {
  t.equal(gapMs(5, null), 1_000);
  t.equal(gapMs(5, 1_200), 1_000);
  t.equal(gapMs(5, 60), 10_000);
  t.end();
});

t.test('data are as old as the oldest of them', (t) => {
  const at = (ms: number) => new Date(ms).toISOString();
  const shown = (updatedAtMs: number, of: { isInvalidated?: boolean; isFailing?: boolean } = {}) => ({
    ...{ updatedAtMs, isInvalidated: false, isFailing: false, ...of },
  });
  const as = (whenOpen: 'live' | 'polled' | 'waiting', heldBy: 'logged_out' | 'elsewhere' | null = null) => ({
    ...{ whenOpen, heldBy },
  });
  t.same(livenessOf('connecting', [], 0, as('live')), { state: 'connecting', since: null });
  t.same(livenessOf('open', [shown(100), shown(900)], 500, as('live')), { state: 'live', since: at(500) });
  t.same(livenessOf('lost', [shown(100), shown(900)], 500, as('live')), { state: 'lost', since: at(500) });
  t.same(
    livenessOf('lost', [shown(700), shown(900)], 500, as('live')),
    { state: 'lost', since: at(700) },
    'read since the break',
  );
  t.same(livenessOf('lost', [shown(100, { isInvalidated: true })], 500, as('live')), { state: 'lost', since: at(100) });
  t.same(
    livenessOf('open', [shown(900), shown(100, { isFailing: true })], 500, as('live')),
    { state: 'lost', since: at(100) },
    'what cannot be read is not live',
  );
  t.same(livenessOf('open', [shown(100)], 500, as('polled')), { state: 'polled', since: at(500) }, 'it is not live');
  t.same(livenessOf('lost', [shown(100)], 500, as('polled')), { state: 'lost', since: at(500) });
  t.same(livenessOf('open', [shown(100)], 500, as('waiting')), { state: 'waiting', since: at(500) });
  t.equal(livenessOf('lost', [shown(100)], 500, as('waiting')).state, 'lost', 'a broken connection says more');
  t.same(livenessOf('lost', [shown(100)], 500, as('live', 'logged_out')), { state: 'logged_out', since: at(500) });
  t.equal(livenessOf('lost', [shown(100)], 500, as('live', 'elsewhere')).state, 'elsewhere');
  t.equal(livenessOf('open', [shown(100)], 500, as('live', 'logged_out')).state, 'live', 'what arrives is fresh');
  t.end();
});
