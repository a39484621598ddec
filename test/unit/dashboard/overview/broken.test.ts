import t from 'tap';
import { browserModule } from '../../../helpers/dashboard/browser-module.js';

Object.defineProperty(globalThis, 'navigator', { value: { languages: ['en'] } });

/** What the overview reads of an incident and of a monitor. */
type Fields = Record<string, string | object | null>;

interface Filling {
  id: string;
  disk_forecast: { mount: string };
}

const { brokenNow, brokenTogether, mayHaveMore, fillingUnnoticed } = await browserModule<{
  brokenTogether(broken: object[]): { key: string }[][];
  mayHaveMore(group: object[], broken: object[], cut: { firing: boolean; silenced: boolean }): boolean;
  brokenNow(down: Fields[], open: Fields[]): { key: string; isOutage: boolean; isSilenced: boolean }[];
  fillingUnnoticed(servers: Filling[], firing: object[]): Filling[];
}>('parts/overview/broken.ts');

const monitor = (id: string, since: string): Fields => ({
  ...{ id, name: id, url: 'https://shop.example', status_changed_at: since },
});
const incident = (id: string, of: Fields): Fields => ({
  ...{
    id,
    kind: 'monitor',
    monitor_id: `mon-of-${id}`,
    monitor_name: id,
    message: 'down',
    facts: null,
    severity: 'critical',
  },
  ...{ started_at: '2026-01-31T10:00:00.000Z', acknowledged_at: null },
  ...of,
});

t.test('the worst comes first: by severity, then what nobody took, then the longest', (t) => {
  const firing = [
    incident('warning', { severity: 'warning', started_at: '2026-01-31T08:00:00.000Z' }),
    incident('taken', { acknowledged_at: '2026-01-31T10:01:00.000Z', started_at: '2026-01-31T07:00:00.000Z' }),
    incident('short', { started_at: '2026-01-31T11:00:00.000Z' }),
    incident('long', { started_at: '2026-01-31T09:00:00.000Z' }),
    incident('info', { severity: 'info', kind: 'certificate' }),
  ];
  const keys = brokenNow([], firing).map(({ key }) => key);
  t.same(keys, ['long', 'short', 'taken', 'warning', 'info']);
  t.end();
});

t.test('what somebody silenced is still there, last, and its monitor is not a second problem', (t) => {
  const open = [incident('quiet', { status: 'silenced' }), incident('info', { severity: 'info', status: 'firing' })];
  const broken = brokenNow([monitor('mon-of-quiet', '2026-01-31T10:00:00.000Z')], open);
  t.match(broken, [
    { key: 'info', isSilenced: false },
    { key: 'quiet', isSilenced: true },
  ]);
  t.equal(broken.length, 2);
  t.end();
});

t.test('a monitor that is down counts once, whichever list knows it first', (t) => {
  const down = [monitor('mon-of-a', '2026-01-31T10:00:00.000Z'), monitor('mon-alone', '2026-01-31T10:00:00.000Z')];
  const firing = [incident('a', {}), incident('b', {}), incident('c', { kind: 'certificate' })];
  t.same(
    brokenNow(down, firing).map(({ key, isOutage }) => [key, isOutage]),
    [
      ['a', true],
      ['b', true],
      ['c', false],
      ['mon-alone', true],
    ],
  );
  t.end();
});

t.test('a disk that fills up is a row of its own only while no incident says so', (t) => {
  const servers = ['/var', '/home'].map((mount) => ({ id: 'srv-1', disk_forecast: { mount } }));
  const of = (id: string) => ({
    ...{ kind: 'server', resource: { id }, message: '' },
    facts: { type: 'disk_full', mount: '/var', used_percent: 91, full_at: null },
  });
  t.same(fillingUnnoticed(servers, [of('srv-1')]), servers.slice(1));
  t.same(fillingUnnoticed(servers, [of('srv-2')]), servers);
  t.end();
});

t.test('an acknowledged incident stays as bad as it is', async (t) => {
  const { shownState } = await browserModule<{ shownState(incident: object): string }>(
    'parts/incidents/shown-state.ts',
  );
  const incident = { status: 'firing', severity: 'critical', acknowledged_at: '2026-01-31T12:00:00.000Z' };
  t.equal(shownState(incident), 'critical');
  t.equal(shownState({ ...incident, status: 'silenced' }), 'silenced');
  t.end();
});

const outage = (code: string) => ({ type: 'outage', failing: 3, of: 3, error: { code }, has_other_errors: false });
const at = (second: number) => new Date(Date.parse('2026-01-31T10:00:00Z') + second * 1_000).toISOString();
const down = (id: string, second: number, more: Fields = {}) =>
  incident(id, { facts: outage('status_mismatch'), started_at: at(second), ...more });

t.test('monitors that went down together are one row, and the others keep theirs', (t) => {
  const nodes = Array.from({ length: 12 }, (_, n) => down(`node-${n}`, 10 + n * 20));
  const open = [
    down('shop', 0, { facts: outage('dns_failure') }),
    ...nodes,
    down('later', 800),
    down('taken', 60, { acknowledged_at: at(90) }),
    down('quiet', 60, { status: 'silenced' }),
  ];
  const groups = brokenTogether(brokenNow([monitor('unnoticed', at(60))], open));
  const keys = groups.map((group) => (group.length > 1 ? `${group.length} from ${group[0]?.key}` : group[0]?.key));
  t.same(keys, ['shop', '12 from node-0', 'later', 'taken', 'unnoticed', 'quiet']);
  t.equal(brokenTogether(brokenNow([], nodes.slice(0, 8))).length, 8, 'as long as they fit, each has a row');
  t.end();
});

t.test('monitors that fail one after the other for a long time did not go down together', (t) => {
  const nodes = (secondsApart: number) => Array.from({ length: 30 }, (_, n) => down(`node-${n}`, n * secondsApart));
  const sizes = (secondsApart: number) =>
    brokenTogether(brokenNow([], nodes(secondsApart))).map(({ length }) => length);
  t.same(sizes(10), [30], 'their intervals explain it');
  t.same(sizes(50), new Array(30).fill(1), 'too few began within 5 minutes');
  t.same(sizes(20), [16, 14], 'another outage begins after 5 minutes');
  t.end();
});

t.test('only the group with the oldest row that was read may have more', (t) => {
  const of = (name: string, second: number, more: Fields = {}) =>
    Array.from({ length: 9 }, (_, n) => down(`${name}-${n}`, second + n, more));
  const open = [...of('late', 900), ...of('early', 0), ...of('quiet', 900, { status: 'silenced' })];
  const broken = brokenNow([monitor('unnoticed', at(-60))], open);
  const said = (cut: { firing: boolean; silenced: boolean }) =>
    brokenTogether(broken).flatMap((group) => (mayHaveMore(group, broken, cut) ? [group[0]?.key] : []));
  t.same(said({ firing: false, silenced: false }), []);
  t.same(said({ firing: true, silenced: false }), ['early-0']);
  t.same(said({ firing: false, silenced: true }), ['quiet-0']);
  t.end();
});
