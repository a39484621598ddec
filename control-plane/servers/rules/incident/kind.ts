import { toIso } from '../../../../kernel/clock.js';
import { RULE_RESOLUTIONS } from '../../../alert-rules/alert-rules.js';
import { duration } from '../../../duration.js';
import type { IncidentDocument } from '../../../incidents/documents.js';
import { type Fact, type IncidentKind, RUNBOOK_LABEL } from '../../../incidents/kind.js';
import { operatorSymbol } from '../fields.js';
import { isServerDecision, type RuleDecisionRecord } from './decision-record.js';
import { RuleDecision } from './decision-schema.js';
import { ruleDecisionView } from './decision-view.js';
import { SERVER_INCIDENT_EXAMPLE } from './example.js';

type RuleTypeName = RuleDecisionRecord['rule']['type'];

const STATES: Record<RuleTypeName, { opened: string; lasting: string }> = {
  metric: { opened: 'FIRING', lasting: 'STILL FIRING' },
  server_offline: { opened: 'OFFLINE', lasting: 'STILL OFFLINE' },
  disk_full: { opened: 'DISK FILLING UP', lasting: 'DISK STILL FILLING UP' },
};

/** An incident that a rule on servers opens. */
export const serverKind: IncidentKind = {
  kind: 'server',
  description: 'an alert rule on a server',
  started: 'time of the first sample that met the condition of the rule',
  byAlertRules: true,
  decision: {
    schema: RuleDecision,
    view: (decision, sent) => (isServerDecision(decision) ? ruleDecisionView(decision, sent) : null),
  },
  examples: [SERVER_INCIDENT_EXAMPLE],
  state: (incident) => STATES[decisionOf(incident)?.rule.type ?? 'metric'],
  name: nameOf,
  recoveredTitle: (incident, lasted) =>
    decisionOf(incident)?.rule.type === 'server_offline'
      ? `ONLINE: ${incident.resource.name} (was offline ${lasted})`
      : null,
  subjectFacts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? [] : [{ label: 'Server', value: incident.resource.name }, ...ruleFacts(decision)];
  },
  evidenceFacts: () => [],
  facts(incident) {
    const decision = decisionOf(incident);
    return decision === null ? null : factsOf(decision);
  },
  votes: () => [],
  resolutions: {
    ...RULE_RESOLUTIONS,
    deleted: 'the server was deleted',
    gone: 'the server no longer sends samples of it',
    server_changed: 'no alert rule applies to the server any more',
  },
  runbookLabel: RUNBOOK_LABEL,
};

function factsOf({ rule, value, forecast, times }: RuleDecisionRecord): ReturnType<IncidentKind['facts']> {
  const since = times.breaching_since_ms;
  switch (rule.type) {
    case 'metric': {
      const operator = operatorSymbol(rule.operator);
      if (operator === null || rule.threshold === null || value === null || since === null) return null;
      return { type: 'metric', metric: rule.metric, operator, threshold: rule.threshold, value, since: toIso(since) };
    }
    case 'server_offline':
      return since === null ? null : { type: 'server_offline', since: toIso(since) };
    case 'disk_full': {
      if (value === null) return null;
      const isFull = forecast === null || forecast.full_at_ms <= times.evaluated_at_ms;
      const full_at = isFull ? null : toIso(forecast.full_at_ms);
      return { type: 'disk_full', mount: mountOf(rule.metric), used_percent: value, full_at };
    }
  }
}

function decisionOf({ decision }: IncidentDocument): RuleDecisionRecord | null {
  return decision !== null && isServerDecision(decision) ? decision : null;
}

function nameOf(incident: IncidentDocument): string {
  const { name } = incident.resource;
  const rule = decisionOf(incident)?.rule;
  if (rule === undefined || rule.type === 'server_offline') return name;
  return rule.type === 'metric' ? `${name}, ${rule.name}` : `${name} ${mountOf(rule.metric)}`;
}

/** The rules, their condition, and the value when they fired. */
function ruleFacts({ rule, other_rules, value }: RuleDecisionRecord): Fact[] {
  const rules = {
    label: other_rules.length === 0 ? 'Rule' : 'Rules',
    value: [rule, ...other_rules].map(({ name }) => name).join(', '),
  };
  if (rule.type === 'server_offline') return [rules];
  const condition = rule.type === 'metric' ? metricCondition(rule) : diskCondition(rule);
  const facts = [rules, { label: 'Condition', value: condition }];
  return value === null ? facts : [...facts, { label: 'Value', value: String(value) }];
}

function metricCondition({ metric, operator, threshold, for_seconds }: RuleDecisionRecord['rule']): string {
  const lasts = for_seconds === null || for_seconds === 0 ? '' : ` for ${duration(for_seconds * 1_000)}`;
  return `${metric} ${operatorSymbol(operator)} ${threshold}${lasts}`;
}

function diskCondition({ metric, within_hours }: RuleDecisionRecord['rule']): string {
  return `${mountOf(metric)} full within ${within_hours} h`;
}

/** `/var` of `disk_full:/var`. */
function mountOf(metric: string): string {
  return metric.slice(metric.indexOf(':') + 1);
}
