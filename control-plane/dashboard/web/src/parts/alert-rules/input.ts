import type { AlertRule } from '../../api/types.ts';
import { isSame } from '../../components/editing/paths.ts';
import { tagsOf, tagsText } from '../../components/form/tags.ts';
import { metricOf, shownThreshold, splitSeries, storedThreshold } from './metrics.ts';

export type RuleType = AlertRule['type'];
export type Severity = AlertRule['severity'];

export const RULE_TYPES: readonly RuleType[] = [
  'metric',
  'server_offline',
  'disk_full',
  'blacklist_listed',
  'backup_missed',
  'email_score_fell',
  'domain_expiring',
  'wordpress_check_failed',
];
export const OPERATORS = ['>', '>=', '<', '<='] as const;
export const SEVERITIES: readonly Severity[] = ['critical', 'warning', 'info'];

/** What the form has. Numbers are as typed. */
export interface RuleInput {
  name: string;
  type: RuleType;
  metric: string;
  device: string;
  operator: (typeof OPERATORS)[number];
  /** In the unit that people type: percent, megabytes. */
  threshold: string;
  for_minutes: string;
  within_hours: string;
  severity: Severity;
  /** `chosen` servers, blacklist monitors or backup jobs, or the servers with one of the tags. */
  targets: 'all' | 'tags' | 'chosen';
  tags: string;
  chosen: string[];
  notify: 'all' | 'chosen' | 'none';
  channels: string[];
}

const MINUTE_S = 60;

const WITHOUT_TARGETS: ReadonlySet<RuleType> = new Set([
  'email_score_fell',
  'domain_expiring',
  'wordpress_check_failed',
]);

/** Whether rules of a type may apply to some of the objects only; the others apply to all of the workspace. */
export function hasTargets(type: RuleType): boolean {
  return !WITHOUT_TARGETS.has(type);
}

/** Returns the form of a new rule. */
export function emptyRule(): RuleInput {
  return {
    ...{ name: '', type: 'metric', metric: 'cpu_percent', device: '', operator: '>', threshold: '90' },
    ...{ for_minutes: '5', within_hours: '24', severity: 'warning', targets: 'all', tags: '', chosen: [] },
    ...{ notify: 'all', channels: [] },
  };
}

/** Returns the form of a stored rule. */
export function inputOf(rule: AlertRule): RuleInput {
  const { metric, device } = splitSeries(rule.metric);
  const unit = metricOf(metric)?.unit ?? 'count';
  const chosen = chosenOf(rule);
  return {
    ...{ name: rule.name, type: rule.type, metric, device, operator: rule.operator ?? '>' },
    threshold: rule.threshold === null ? '' : String(shownThreshold(rule.threshold, unit)),
    for_minutes: String((rule.for_seconds ?? 0) / MINUTE_S),
    within_hours: String(rule.within_hours ?? 24),
    severity: rule.severity,
    targets: rule.tags !== null ? 'tags' : chosen === null ? 'all' : 'chosen',
    tags: tagsText(rule.tags ?? []),
    chosen: chosen ?? [],
    notify: rule.channels === null ? 'all' : rule.channels.length === 0 ? 'none' : 'chosen',
    channels: rule.channels ?? [],
  };
}

function chosenOf({ type, blacklist_monitor_ids, backup_job_ids, server_ids }: AlertRule): string[] | null {
  if (type === 'blacklist_listed') return blacklist_monitor_ids;
  return type === 'backup_missed' ? backup_job_ids : server_ids;
}

/** Returns the body that creates or changes a rule. What is no number is sent as it is, so that the API says why not. */
export function ruleBody(input: RuleInput): Record<string, unknown> {
  return {
    ...{ name: input.name.trim(), type: input.type, severity: input.severity },
    ...conditionOf(input),
    ...targetsOf(input),
    channels: input.notify === 'all' ? null : input.notify === 'none' ? [] : input.channels,
  };
}

/** Returns the body that changes what differs from the stored rule; null if nothing does. */
export function changedBody(before: AlertRule, input: RuleInput): Record<string, unknown> | null {
  const was = ruleBody(inputOf(before));
  const changed = Object.entries(ruleBody(input)).filter(([field, value]) => !isSame(value, was[field]));
  return changed.length === 0 ? null : Object.fromEntries(changed);
}

function conditionOf(input: RuleInput): Record<string, unknown> {
  const forSeconds = inUnit(input.for_minutes, (minutes) => Math.round(minutes * MINUTE_S));
  switch (input.type) {
    case 'metric': {
      const device = input.device.trim();
      const unit = metricOf(input.metric)?.unit ?? 'count';
      return {
        metric: device === '' ? input.metric : `${input.metric}:${device}`,
        operator: input.operator,
        threshold: inUnit(input.threshold, (shown) => storedThreshold(shown, unit)),
        for_seconds: forSeconds,
      };
    }
    case 'server_offline':
      return { for_seconds: forSeconds };
    case 'disk_full':
      return { within_hours: inUnit(input.within_hours, (hours) => hours) };
    case 'blacklist_listed':
    case 'backup_missed':
    case 'email_score_fell':
    case 'domain_expiring':
    case 'wordpress_check_failed':
      return {};
  }
}

function targetsOf({ type, targets, tags, chosen }: RuleInput): Record<string, unknown> {
  if (type === 'blacklist_listed') return { blacklist_monitor_ids: targets === 'chosen' ? chosen : null };
  if (type === 'backup_missed') return { backup_job_ids: targets === 'chosen' ? chosen : null };
  if (!hasTargets(type)) return {};
  return { server_ids: targets === 'chosen' ? chosen : null, tags: targets === 'tags' ? tagsOf(tags) : null };
}

/** Returns a typed number in the unit of the API. A decimal comma is a decimal point. */
function inUnit(typed: string, convert: (value: number) => number): unknown {
  const text = typed.trim().replace(',', '.');
  return /^\d+(\.\d+)?$/.test(text) ? convert(Number(text)) : typed;
}

/** Returns the body that creates a deleted rule again, with all its settings. */
export function bodyOf({ id: _id, created_at: _created, updated_at: _updated, ...settings }: AlertRule) {
  const isSet = ([field, value]: [string, unknown]) => value !== null || field === 'channels';
  const { metric, ...rest } = Object.fromEntries(Object.entries(settings).filter(isSet));
  return settings.type === 'metric' ? { ...rest, metric } : rest;
}
