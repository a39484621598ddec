import t from 'tap';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

/** What the overview reads of an incident and of a monitor. */
type Fields = Record<string, string | null>;

const { brokenNow, downCount } = await browserModule<{
  brokenNow(down: Fields[], firing: Fields[]): { key: string; isOutage: boolean }[];
  downCount(down: Fields[], firing: Fields[]): number;
}>('parts/overview/broken.ts');

const monitor = (id: string, since: string): Fields => ({
  ...{ id, name: id, url: 'https://shop.example', status_changed_at: since },
});
const incident = (id: string, of: Fields): Fields => ({
  ...{ id, kind: 'monitor', monitor_id: `mon-of-${id}`, monitor_name: id, message: 'down', severity: 'critical' },
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
  t.equal(downCount(down, firing), 3);
  t.end();
});
