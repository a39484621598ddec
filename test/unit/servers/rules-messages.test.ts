import t from 'tap';
import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { RowEvent } from '../../../control-plane/notifications/documents.js';
import { incidentMessage } from '../../../control-plane/notifications/message.js';
import type { RuleDecisionRecord } from '../../../control-plane/servers/rules/incident/decision-record.js';
import { ruleDecisionView } from '../../../control-plane/servers/rules/incident/decision-view.js';
import { serverKind } from '../../../control-plane/servers/rules/incident/kind.js';
import { serverMessages } from '../../../control-plane/servers/rules/incident/messages.js';
import { buildIncident } from '../../helpers/notifications/build.js';

const NOW = Date.UTC(2026, 0, 31, 3, 14, 2);
const server = { name: 'web-1' };
const MINUTE = 60_000;

t.test('messages of incidents on servers', async (t) => {
  const breached = (series: string, unit: string, value: number, threshold: number, operator = '>') =>
    serverMessages.breached({
      ...{ server, rule: 'A rule', sinceMs: NOW - 5 * MINUTE, atMs: NOW },
      condition: { series, unit, operator, threshold, value },
    });
  t.equal(
    breached('cpu_percent', 'percent', 90.04, 90),
    'web-1: cpu_percent is 90.04 %, over the limit of 90 % since 03:09:02 UTC (5 min). Rule “A rule”.',
  );
  t.match(
    breached('mem_used_bytes', 'bytes', 1_610_612_736, 1_073_741_824, '>='),
    'is 1.5 GiB, at or over the limit of 1 GiB',
  );
  t.match(
    breached('net_bytes_sent_rate:eth0', 'bytes_per_second', 512, 2_097_152, '<'),
    'net_bytes_sent_rate:eth0 is 512 B/s, under the limit of 2 MiB/s',
  );
  t.match(breached('uptime_seconds', 'seconds', 90, 600, '<='), 'is 1 min 30 s, at or under the limit of 10 min');
  t.match(breached('load_1', 'load', 12.345, 8), 'load_1 is 12.35, over the limit of 8 since');
  t.equal(
    serverMessages.cleared({
      ...{ server, startedAtMs: NOW - 9 * MINUTE, atMs: NOW },
      condition: { series: 'cpu_percent', unit: 'percent', operator: '>', threshold: 90, value: 41.5 },
    }),
    'web-1: cpu_percent is 41.5 % and no longer over the limit of 90 %, after 9 min (03:05:02 UTC to 03:14:02 UTC).',
  );
  const disk = (hoursLeft: number | null) =>
    serverMessages.diskFull({ server, mount: '/var', percent: 84.04, hoursLeft, pointsPerHour: 3.2 });
  t.equal(
    disk(5),
    'web-1: /var is 84 % full and will be full in about 5 h at the present rate of 3.2 percentage points per hour.',
  );
  t.match(disk(0.4), 'in about 24 min');
  t.match(disk(2.54), 'in about 2.5 h');
  t.equal(disk(null), 'web-1: /var is 84 % full.');
  t.equal(
    serverMessages.offline({ server, heardAtMs: null, atMs: NOW }),
    'web-1 is offline: its agent has sent no sample yet.',
  );
});

t.test('titles and facts in every channel', async (t) => {
  const rule: RuleDecisionRecord['rule'] = {
    ...{ id: 'rule_1', name: 'CPU is busy', version: 1, type: 'metric', metric: 'cpu_percent', operator: '>' },
    ...{ threshold: 90, for_seconds: 300, within_hours: null, severity: 'warning' },
  };
  const decision = (over: Partial<RuleDecisionRecord['rule']>, others: string[] = []): RuleDecisionRecord => ({
    rule: { ...rule, ...over },
    other_rules: others.map((name) => ({ id: name, name })),
    samples: [],
    value: 97.2,
    forecast: null,
    reason: '',
    times: { breaching_since_ms: NOW, evaluated_at_ms: NOW, opened_at_ms: NOW, recovered_at_ms: null },
  });
  const message = (event: RowEvent, of: RuleDecisionRecord, over: Partial<IncidentDocument> = {}) =>
    incidentMessage({
      id: 'x',
      event,
      eventMs: NOW + 10 * MINUTE,
      incident: buildIncident('ws_a', {
        ...{ kind: 'server', subject: 'rule:rule_1:srv_1', monitor_id: null, monitor_name: null, runbook_url: null },
        ...{ resource: { type: 'server', id: 'srv_1', name: 'web-1' }, decision: of, started_at_ms: NOW },
        ...over,
      }),
      incidentKind: serverKind,
      sent: [],
      monitor: null,
      publicUrl: 'https://picket.example.com',
      actionLink: 'http://picket.test/on-call?t=token',
      locationName: (code) => code,
      renderIncident: ({ _id }) => ({ id: _id }),
    });
  const ended = { status: 'resolved', resolved_at_ms: NOW + 4 * MINUTE } as const;

  const opened = message('opened', decision({}));
  t.equal(opened.title, 'FIRING: web-1, CPU is busy');
  t.equal(opened.source, 'web-1');
  t.same(opened.facts, [
    { label: 'Server', value: 'web-1' },
    { label: 'Rule', value: 'CPU is busy' },
    { label: 'Condition', value: 'cpu_percent > 90 for 5 min' },
    { label: 'Value', value: '97.2' },
    { label: 'Since', value: '2026-01-31 03:14:02 UTC' },
    { label: 'Severity', value: 'warning' },
  ]);
  const older = decision({ operator: 'gt' });
  t.equal(ruleDecisionView(older, []).rule.operator, '>', 'as an earlier version stored it');
  t.same(message('opened', older).facts, opened.facts);
  t.equal(message('reminder#1', decision({})).title, 'STILL FIRING: web-1, CPU is busy (for 10 min)');
  t.equal(
    message('resolved', decision({}), { ...ended, resolution: 'recovered' }).title,
    'RESOLVED: web-1, CPU is busy (after 4 min)',
  );

  const offline = decision({ type: 'server_offline', metric: 'server_offline' }, ['Another']);
  t.equal(message('opened', offline).title, 'OFFLINE: web-1');
  t.same(message('opened', offline).facts[1], { label: 'Rules', value: 'CPU is busy, Another' });
  t.equal(message('reminder#1', offline).title, 'STILL OFFLINE: web-1 (for 10 min)');
  t.equal(
    message('resolved', offline, { ...ended, resolution: 'recovered' }).title,
    'ONLINE: web-1 (was offline 4 min)',
  );
  const gone = message('resolved', offline, { ...ended, resolution: 'deleted' });
  t.equal(gone.title, 'RESOLVED: web-1 (after 4 min)');
  t.match(gone.facts, [{}, {}, {}, {}, { label: 'Resolution', value: 'the server was deleted' }]);

  const disk = message('opened', decision({ type: 'disk_full', metric: 'disk_full:/var', within_hours: 24 }));
  t.equal(disk.title, 'DISK FILLING UP: web-1 /var');
  t.same(disk.facts[2], { label: 'Condition', value: '/var full within 24 h' });
});
