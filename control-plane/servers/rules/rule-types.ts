import type { DefaultRules } from '../../alert-rules/alert-rules.js';
import type { AlertRuleDocument } from '../../alert-rules/documents.js';
import { type AlertRuleType, defineRuleType, type RuleOf } from '../../alert-rules/rule-type.js';
import type { FieldError } from '../../errors.js';
import { metricOfSeries } from '../samples/metrics.js';
import { forSeconds, type Operator, operator, serverIds, tags, threshold, withinHours } from './fields.js';

const PERCENT_MAX = 100;
const TARGETS = { server_ids: serverIds, tags };

/** The part of all rules on servers. */
export type ServerRule = AlertRuleDocument & { server_ids: string[] | null; tags: string[] | null };

export const metricType = defineRuleType({
  type: 'metric',
  description: 'a value beyond a threshold',
  metric: {
    description: 'A server metric, for one device if a device follows: `cpu_percent`, `disk_used_percent:/var`.',
    examples: ['cpu_percent'],
  },
  defaultSeverity: 'warning',
  condition: { operator, threshold, for_seconds: forSeconds },
  targets: TARGETS,
  validate: (settings) => [...metricErrors(settings), ...targetErrors(settings)],
  examples: {
    create: [
      {
        ...{ name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90 },
        ...{ for_seconds: 300, severity: 'warning', tags: ['production'] },
      },
    ],
    update: [{ threshold: 95, for_seconds: 600 }],
    reply: [
      {
        ...{ name: 'CPU is busy', metric: 'cpu_percent', operator: '>', threshold: 90 },
        ...{ for_seconds: 300, tags: ['production'] },
      },
    ],
  },
});
export type MetricRuleDocument = RuleOf<typeof metricType>;

export const offlineType = defineRuleType({
  type: 'server_offline',
  description: 'the agent sends no samples',
  metric: null,
  defaultSeverity: 'critical',
  condition: { for_seconds: forSeconds },
  targets: TARGETS,
  validate: targetErrors,
  examples: { create: [{ name: 'Server offline', metric: 'server_offline' }], update: [], reply: [] },
});
export type OfflineRule = RuleOf<typeof offlineType>;

export const diskFullType = defineRuleType({
  type: 'disk_full',
  description: 'the trend of the last six hours fills a file system',
  metric: null,
  defaultSeverity: 'warning',
  condition: { within_hours: withinHours },
  targets: TARGETS,
  validate: targetErrors,
  examples: {
    create: [{ name: 'Disk full within two days', type: 'disk_full', within_hours: 48 }],
    update: [],
    reply: [{ name: 'Disk full within a day', within_hours: 24 }],
  },
});
export type DiskFullRule = RuleOf<typeof diskFullType>;

export const SERVER_RULE_TYPES: readonly AlertRuleType[] = [metricType, offlineType, diskFullType];

/** The rules that a workspace gets with its first server. */
export const SERVER_DEFAULT_RULES: DefaultRules = {
  key: null,
  rules: [
    { name: 'Server offline', type: offlineType.type, severity: 'critical' },
    { name: 'Disk full within a day', type: diskFullType.type, within_hours: 24, severity: 'warning' },
  ],
};

/** Whether the rule applies to the server. */
export function appliesTo(
  rule: Pick<ServerRule, 'server_ids' | 'tags'>,
  server: { _id: string; tags: readonly string[] },
): boolean {
  if (rule.server_ids !== null) return rule.server_ids.includes(server._id);
  return rule.tags === null || rule.tags.some((tag) => server.tags.includes(tag));
}

function metricErrors(rule: { metric: string; operator: Operator | null; threshold: number | null }): FieldError[] {
  const errors: FieldError[] = [];
  const definition = metricOfSeries(rule.metric);
  if (definition === null)
    errors.push({ path: '/metric', message: 'is not a metric of servers', code: 'unknown_metric' });
  if (rule.operator === null) errors.push({ path: '/operator', message: 'is missing', code: 'required' });
  if (rule.threshold === null) errors.push({ path: '/threshold', message: 'is missing', code: 'required' });
  else if (definition?.unit === 'percent' && rule.threshold > PERCENT_MAX) {
    const message = `must be at most ${PERCENT_MAX}`;
    errors.push({ path: '/threshold', message, code: 'max', params: { max: PERCENT_MAX } });
  }
  return errors;
}

function targetErrors(rule: Pick<ServerRule, 'server_ids' | 'tags'>): FieldError[] {
  if (rule.server_ids === null || rule.tags === null) return [];
  return [{ path: '/tags', message: 'cannot be combined with server_ids: one of them must be null' }];
}
