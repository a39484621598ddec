import type { MetricDefinition } from '../../proto/metrics.js';
import { AppError, type FieldError } from '../errors.js';
import type { IncidentSeverity } from '../incidents/documents.js';
import type { RuleSettings, RuleType } from './documents.js';
import { type CreateAlertRule, type UpdateAlertRule, WITHIN_HOURS_DEFAULT } from './schema.js';

const SETTINGS = [
  'name',
  'type',
  'metric',
  'operator',
  'threshold',
  'for_seconds',
  'within_hours',
  'severity',
  'server_ids',
  'tags',
  'blacklist_monitor_ids',
  'channels',
  'enabled',
] as const satisfies (keyof RuleSettings)[];

/** What a series name such as `disk_used_percent:/var` means; null for one that cannot exist. */
export type MetricOfSeries = (series: string) => MetricDefinition | null;

/** Types that may stand in `metric` instead. */
const EVENTS: readonly RuleType[] = ['server_offline', 'disk_full', 'blacklist_listed'];
const SEVERITY_DEFAULT: Record<RuleType, IncidentSeverity> = {
  metric: 'warning',
  server_offline: 'critical',
  disk_full: 'warning',
  blacklist_listed: 'warning',
};

/** Members that only some types have. */
const MEMBERS = [
  ...(['operator', 'threshold', 'for_seconds', 'within_hours'] as const),
  ...(['server_ids', 'tags', 'blacklist_monitor_ids'] as const),
] as const;
type Member = (typeof MEMBERS)[number];
const ON_SERVERS: readonly RuleType[] = ['metric', 'server_offline', 'disk_full'];
const BELONGS: Record<Member, readonly RuleType[]> = {
  operator: ['metric'],
  threshold: ['metric'],
  for_seconds: ['metric', 'server_offline'],
  within_hours: ['disk_full'],
  server_ids: ON_SERVERS,
  tags: ON_SERVERS,
  blacklist_monitor_ids: ['blacklist_listed'],
};
const PERCENT_MAX = 100;

/** Without everything else that a rule has. */
export function settingsOf(rule: RuleSettings): RuleSettings {
  const { name, type, metric, operator, threshold, for_seconds, within_hours } = rule;
  const { severity, server_ids, tags, blacklist_monitor_ids, channels, enabled } = rule;
  return {
    ...{ name, type, metric, operator, threshold, for_seconds, within_hours },
    // Rules from before there were such monitors lack it.
    ...{ severity, server_ids, tags, blacklist_monitor_ids: blacklist_monitor_ids ?? null, channels, enabled },
  };
}

/** Settings of a new rule, every default in place. Throws 422 with all that is wrong. Pure. */
export function newSettings(input: CreateAlertRule, metricOfSeries: MetricOfSeries): RuleSettings {
  const type = typeOf(input);
  const settings: RuleSettings = {
    name: input.name,
    type,
    metric: type === 'metric' ? (input.metric ?? '') : type,
    operator: input.operator ?? null,
    threshold: input.threshold ?? null,
    for_seconds: input.for_seconds ?? defaultOf(type, 'for_seconds', 0),
    within_hours: input.within_hours ?? defaultOf(type, 'within_hours', WITHIN_HOURS_DEFAULT),
    severity: input.severity ?? SEVERITY_DEFAULT[type],
    server_ids: input.server_ids ?? null,
    tags: input.tags ?? null,
    blacklist_monitor_ids: input.blacklist_monitor_ids ?? null,
    channels: input.channels ?? null,
    enabled: input.enabled ?? true,
  };
  return accept(settings, [...typeErrors(input, type), ...settingsErrors(settings, metricOfSeries)]);
}

/** The settings with a change in them: each member as a whole. Throws 422 with all that is wrong. Pure. */
export function changedSettings(
  current: RuleSettings,
  patch: UpdateAlertRule,
  metricOfSeries: MetricOfSeries,
): RuleSettings {
  const { type } = current;
  const settings: RuleSettings = { ...settingsOf(current), ...patch, type };
  // null asks for the default where the type has the member.
  settings.for_seconds ??= defaultOf(type, 'for_seconds', 0);
  settings.within_hours ??= defaultOf(type, 'within_hours', WITHIN_HOURS_DEFAULT);
  if (type !== 'metric') settings.metric = type;
  const named = typeOf({ ...patch, metric: patch.metric ?? current.metric });
  const errors: FieldError[] =
    named === type
      ? typeErrors(patch, type)
      : [{ path: patch.type === undefined ? '/metric' : '/type', message: 'cannot change: make another rule' }];
  return accept(settings, [...errors, ...(errors.length > 0 ? [] : settingsErrors(settings, metricOfSeries))]);
}

/** What changed, for the audit log. */
export function settingsChanges(
  before: RuleSettings,
  after: RuleSettings,
): Record<string, { from: unknown; to: unknown }> {
  const was = settingsOf(before);
  const changed = SETTINGS.filter((member) => JSON.stringify(was[member]) !== JSON.stringify(after[member]));
  return Object.fromEntries(changed.map((member) => [member, { from: was[member], to: after[member] }]));
}

/** The default where the type has the member. */
function defaultOf(type: RuleType, member: Member, value: number): number | null {
  return belongs(member, type) ? value : null;
}

function belongs(member: Member, type: RuleType): boolean {
  return BELONGS[member].includes(type);
}

function accept(settings: RuleSettings, errors: FieldError[]): RuleSettings {
  const [first] = errors;
  if (first === undefined) return settings;
  throw new AppError('validation_failed', `${first.path} ${first.message}.`, { errors });
}

function typeOf(input: Pick<CreateAlertRule, 'type' | 'metric'>): RuleType {
  if (input.type !== undefined) return input.type;
  return EVENTS.find((event) => event === input.metric) ?? 'metric';
}

/** Type and metric may both name an event, and then must name the same. */
function typeErrors(input: Pick<CreateAlertRule, 'type' | 'metric'>, type: RuleType): FieldError[] {
  const { metric } = input;
  if (metric === undefined || type === 'metric') return [];
  return metric === type ? [] : [{ path: '/metric', message: `does not belong to a rule of type ${type}` }];
}

function settingsErrors(settings: RuleSettings, metricOfSeries: MetricOfSeries): FieldError[] {
  const { type, server_ids, tags } = settings;
  const errors: FieldError[] = [];
  for (const member of MEMBERS) {
    if (settings[member] !== null && !belongs(member, type)) {
      errors.push({ path: `/${member}`, message: `does not belong to a rule of type ${type}` });
    }
  }
  if (type === 'metric') errors.push(...metricErrors(settings, metricOfSeries));
  if (server_ids !== null && tags !== null && belongs('tags', type)) {
    errors.push({ path: '/tags', message: 'cannot stand beside server_ids: one of them must be null' });
  }
  return errors;
}

function metricErrors({ metric, operator, threshold }: RuleSettings, metricOfSeries: MetricOfSeries): FieldError[] {
  const errors: FieldError[] = [];
  const definition = metricOfSeries(metric);
  if (metric === '') errors.push({ path: '/metric', message: 'is missing' });
  else if (EVENTS.some((event) => event === metric))
    errors.push({ path: '/metric', message: 'does not belong to a rule of type metric' });
  else if (definition === null) errors.push({ path: '/metric', message: 'is not a metric of servers' });
  if (operator === null) errors.push({ path: '/operator', message: 'is missing' });
  if (threshold === null) errors.push({ path: '/threshold', message: 'is missing' });
  else if (definition?.unit === 'percent' && threshold > PERCENT_MAX) {
    errors.push({ path: '/threshold', message: `must be ${PERCENT_MAX} at most` });
  }
  return errors;
}
