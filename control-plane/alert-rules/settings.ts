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
  'channels',
  'enabled',
] as const satisfies (keyof RuleSettings)[];

/** What a series name such as `disk_used_percent:/var` means; null for one that cannot exist. */
export type MetricOfSeries = (series: string) => MetricDefinition | null;

const EVENTS: ReadonlySet<string> = new Set<RuleType>(['server_offline', 'disk_full']);
const SEVERITY_DEFAULT: Record<RuleType, IncidentSeverity> = {
  metric: 'warning',
  server_offline: 'critical',
  disk_full: 'warning',
};

/** Members that only some types have. */
const BELONGS: Record<'operator' | 'threshold' | 'for_seconds' | 'within_hours', readonly RuleType[]> = {
  operator: ['metric'],
  threshold: ['metric'],
  for_seconds: ['metric', 'server_offline'],
  within_hours: ['disk_full'],
};
const PERCENT_MAX = 100;

/** Without everything else that a rule has. */
export function settingsOf(rule: RuleSettings): RuleSettings {
  const { name, type, metric, operator, threshold, for_seconds, within_hours } = rule;
  const { severity, server_ids, tags, channels, enabled } = rule;
  return {
    ...{ name, type, metric, operator, threshold, for_seconds, within_hours },
    ...{ severity, server_ids, tags, channels, enabled },
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
    for_seconds: type === 'disk_full' ? (input.for_seconds ?? null) : (input.for_seconds ?? 0),
    within_hours: type === 'disk_full' ? (input.within_hours ?? WITHIN_HOURS_DEFAULT) : (input.within_hours ?? null),
    severity: input.severity ?? SEVERITY_DEFAULT[type],
    server_ids: input.server_ids ?? null,
    tags: input.tags ?? null,
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
  if (type !== 'disk_full') settings.for_seconds ??= 0;
  else settings.within_hours ??= WITHIN_HOURS_DEFAULT;
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
  const changed = SETTINGS.filter((member) => JSON.stringify(before[member]) !== JSON.stringify(after[member]));
  return Object.fromEntries(changed.map((member) => [member, { from: before[member], to: after[member] }]));
}

function accept(settings: RuleSettings, errors: FieldError[]): RuleSettings {
  const [first] = errors;
  if (first === undefined) return settings;
  throw new AppError('validation_failed', `${first.path} ${first.message}.`, { errors });
}

function typeOf(input: Pick<CreateAlertRule, 'type' | 'metric'>): RuleType {
  if (input.type !== undefined) return input.type;
  if (input.metric === 'server_offline' || input.metric === 'disk_full') return input.metric;
  return 'metric';
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
  for (const [member, types] of Object.entries(BELONGS)) {
    const isGiven = Object.entries(settings).some(([name, value]) => name === member && value !== null);
    if (isGiven && !types.includes(type)) {
      errors.push({ path: `/${member}`, message: `does not belong to a rule of type ${type}` });
    }
  }
  if (type === 'metric') errors.push(...metricErrors(settings, metricOfSeries));
  if (server_ids !== null && tags !== null) {
    errors.push({ path: '/tags', message: 'cannot stand beside server_ids: one of them must be null' });
  }
  return errors;
}

function metricErrors({ metric, operator, threshold }: RuleSettings, metricOfSeries: MetricOfSeries): FieldError[] {
  const errors: FieldError[] = [];
  const definition = metricOfSeries(metric);
  if (metric === '') errors.push({ path: '/metric', message: 'is missing' });
  else if (EVENTS.has(metric)) errors.push({ path: '/metric', message: 'does not belong to a rule of type metric' });
  else if (definition === null) errors.push({ path: '/metric', message: 'is not a metric of servers' });
  if (operator === null) errors.push({ path: '/operator', message: 'is missing' });
  if (threshold === null) errors.push({ path: '/threshold', message: 'is missing' });
  else if (definition?.unit === 'percent' && threshold > PERCENT_MAX) {
    errors.push({ path: '/threshold', message: `must be ${PERCENT_MAX} at most` });
  }
  return errors;
}
