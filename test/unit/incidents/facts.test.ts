import t from 'tap';
import { Value } from 'typebox/value';
import { IncidentFacts } from '../../../control-plane/incidents/facts/schema.js';
import type { RuleDecisionRecord } from '../../../control-plane/servers/rules/incident/decision-record.js';
import { certificateRecord } from '../../../control-plane/verdicts/incident-kinds/certificate.js';
import { KINDS } from '../../helpers/incidents/kinds.js';
import { buildIncident, decision, vote } from '../../helpers/notifications/build.js';

const NOW = Date.UTC(2026, 0, 31, 12);
const RULE = { id: 'rule_1', name: 'Rule', version: 1, severity: 'warning' as const, for_seconds: null };
const record = (rule: Partial<RuleDecisionRecord['rule']>, over: Partial<RuleDecisionRecord> = {}) =>
  ({
    rule: { ...RULE, operator: null, threshold: null, within_hours: null, type: 'metric', metric: '', ...rule },
    ...{ other_rules: [], samples: [], value: null, forecast: null, reason: '' },
    times: { breaching_since_ms: NOW, evaluated_at_ms: NOW, opened_at_ms: NOW, recovered_at_ms: null },
    ...over,
  }) as RuleDecisionRecord;

function factsOf(kind: string, decision: ReturnType<typeof buildIncident>['decision']) {
  const incident = buildIncident('ws_a', { kind, decision });
  const facts = KINDS.of(incident).facts(incident);
  t.ok(Value.Check(IncidentFacts, facts), `${kind}: the API allows it`);
  return facts;
}

t.test('incidents have what opened them as fields', async (t) => {
  const since = '2026-01-31T12:00:00.000Z';
  t.same(factsOf('server', record({ metric: 'cpu_percent', operator: '>', threshold: 90 }, { value: 97.2 })), {
    ...{ type: 'metric', metric: 'cpu_percent', operator: '>', threshold: 90, value: 97.2, since },
  });
  t.same(factsOf('server', record({ type: 'server_offline' })), { type: 'server_offline', since });
  const disk = { type: 'disk_full' as const, metric: 'disk_used_percent:/srv:a' };
  const forecast = { full_at_ms: NOW + 3_600_000, points_per_hour: 9, observed_hours: 2 };
  t.same(factsOf('server', record(disk, { value: 91, forecast })), {
    ...{ type: 'disk_full', mount: '/srv:a', used_percent: 91, full_at: '2026-01-31T13:00:00.000Z' },
  });
  t.match(factsOf('server', record(disk, { value: 100 })), { full_at: null });
  t.same(factsOf('certificate', certificateRecord({ not_after_ms: NOW, issuer: 'R11' })), {
    ...{ type: 'certificate', expires_at: since, issuer: 'R11' },
  });
  t.equal(factsOf('certificate', null), null, 'of an earlier version');
  t.equal(factsOf('monitor', null), null);
  const retrying = { ...vote('sfo', 'down', 'tls_expired'), retrying: true };
  const votes = ['fra', 'nyc', 'sin'].map((location) => vote(location, 'down', 'connection_refused'));
  t.same(
    factsOf('monitor', decision([vote('lon', 'down', 'tls_expired'), ...votes, retrying, vote('ams', 'unknown')])),
    {
      ...{ type: 'outage', failing: 4, of: 5, needed: 2, has_other_errors: true },
      error: { code: 'connection_refused', message: 'failed with connection_refused' },
    },
  );
});
