import t from 'tap';
import { METRICS as ALL_METRICS } from '../../../proto/metrics.js';
import { browserModule } from '../../helpers/dashboard/browser-module.js';

type Rule = Record<string, unknown>;
const { METRICS, shownThreshold, storedThreshold } = await browserModule<{
  METRICS: Record<string, { unit: string; device: string | null }>;
  shownThreshold(value: number, unit: string): number;
  storedThreshold(shown: number, unit: string): number;
}>('parts/alert-rules/metrics.ts');
const { bodyOf, emptyRule, inputOf, ruleBody } = await browserModule<{
  bodyOf(rule: Rule): Rule;
  emptyRule(): Rule;
  inputOf(rule: Rule): Rule;
  ruleBody(input: Rule): Rule;
}>('parts/alert-rules/input.ts');

const STORED: Rule = {
  ...{ id: 'rule_1', name: 'Disk', type: 'metric', metric: 'disk_used_percent:/var', operator: '>=', threshold: 90.5 },
  ...{ for_seconds: 300, within_hours: null, severity: 'warning', server_ids: null, tags: ['db'] },
  ...{ blacklist_monitor_ids: null, channels: null, enabled: false, created_at: 'then', updated_at: 'now' },
};

t.test('the pages know every metric of servers, with its unit and its devices', (t) => {
  const expected = Object.fromEntries(ALL_METRICS.map(({ name, unit, device }) => [name, { unit, device }]));
  const known = Object.fromEntries(Object.entries(METRICS).map(([name, { unit, device }]) => [name, { unit, device }]));
  t.same(known, expected);
  t.end();
});

t.test('a stored rule survives the form', (t) => {
  t.same(ruleBody(inputOf(STORED)), {
    ...{ name: 'Disk', type: 'metric', severity: 'warning', metric: 'disk_used_percent:/var', operator: '>=' },
    ...{ threshold: 90.5, for_seconds: 300, server_ids: null, tags: ['db'], channels: null },
  });
  const offline = { ...STORED, type: 'server_offline', metric: 'server_offline', channels: [], tags: null };
  t.same(ruleBody(inputOf({ ...offline, operator: null, threshold: null, server_ids: ['srv_1'] })), {
    ...{ name: 'Disk', type: 'server_offline', severity: 'warning', for_seconds: 300 },
    ...{ server_ids: ['srv_1'], tags: null, channels: [] },
  });
  const listed = { ...STORED, type: 'blacklist_listed', metric: 'blacklist_listed', tags: null, for_seconds: null };
  t.match(ruleBody(inputOf({ ...listed, blacklist_monitor_ids: ['bl_1'] })), { blacklist_monitor_ids: ['bl_1'] });
  t.end();
});

t.test('numbers are in the units that people type, and what is none is sent as it is', (t) => {
  t.match(ruleBody({ ...emptyRule(), metric: 'net_bytes_sent_rate', threshold: '1,5' }), { threshold: 1_500_000 });
  t.match(ruleBody({ ...emptyRule(), threshold: 'much', for_minutes: '' }), { threshold: 'much', for_seconds: '' });
  t.match(ruleBody({ ...emptyRule(), for_minutes: '0.5' }), { for_seconds: 30 });
  t.equal(shownThreshold(storedThreshold(2.5, 'bytes'), 'bytes'), 2.5);
  t.equal(shownThreshold(90, 'percent'), 90);
  t.end();
});

t.test('a deleted rule is created again with all its settings', (t) => {
  t.same(bodyOf(STORED), {
    ...{ name: 'Disk', type: 'metric', metric: 'disk_used_percent:/var', operator: '>=', threshold: 90.5 },
    ...{ for_seconds: 300, severity: 'warning', tags: ['db'], channels: null, enabled: false },
  });
  t.end();
});
