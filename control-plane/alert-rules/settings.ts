import { changesOf } from '../audit/changes.js';
import { AppError, type FieldError, invalidFields } from '../errors.js';
import type { RuleSettings } from './documents.js';
import type { AlertRuleType, AnyRuleSettings, NewRule, RuleField, RulePatch } from './rule-type.js';
import { hasField, type RuleTypes } from './rule-types.js';

/** Returns the settings of a rule in the order of the API. Fields that are not stored are null. */
export function settingsOf(types: RuleTypes, rule: RuleSettings): AnyRuleSettings {
  const stored: Readonly<Record<string, unknown>> = { ...rule };
  return withFields(types, rule, (name, field) => canonical(field, stored[name] ?? null));
}

/** Returns the settings of a new rule, with all defaults. Throws 422 with all errors. */
export function newSettings(types: RuleTypes, input: NewRule): AnyRuleSettings {
  const type = types.named(input);
  if (type === null) throw invalidFields([{ path: '/type', message: 'is missing', code: 'required' }]);
  const settings = completed(types, type, input);
  const errors = [
    ...typeErrors(input, type),
    ...settingsErrors(types, type, settings),
    ...emptyTargetErrors(types, settings, null),
  ];
  if (errors.length > 0) throw invalidFields(errors);
  return settings;
}

/** Returns the settings of a new rule, with all defaults. */
export function completed(types: RuleTypes, type: AlertRuleType, input: NewRule): AnyRuleSettings {
  const common: RuleSettings = {
    name: input.name,
    type: type.type,
    metric: type.metric === null ? type.type : (input.metric ?? ''),
    severity: input.severity ?? type.defaultSeverity,
    channels: input.channels ?? null,
    enabled: input.enabled ?? true,
  };
  return withFields(types, common, (name, field) =>
    canonical(field, input[name] ?? (hasField(type, name) ? field.default : null)),
  );
}

function canonical(field: RuleField, value: unknown): unknown {
  return field.canonical === undefined ? value : field.canonical(value);
}

/** Returns the changed settings; each field is replaced as a whole. Throws 422 with all errors. */
export function changedSettings(types: RuleTypes, current: RuleSettings, patch: RulePatch): AnyRuleSettings {
  const type = types.find(current.type);
  if (type === null) throw new AppError('conflict', `There are no alert rules of type ${current.type} any more.`);
  const { channels = current.channels, metric = current.metric } = patch;
  const changed: NewRule = { ...settingsOf(types, current), ...patch, type: type.type, metric, channels };
  const settings = completed(types, type, changed);
  if (types.named({ ...patch, metric }) !== type) {
    const path = patch.type === undefined ? '/metric' : '/type';
    throw invalidFields([{ path, message: 'cannot be changed: create another rule' }]);
  }
  const misnamed = typeErrors(patch, type);
  const own = [...settingsErrors(types, type, settings), ...emptyTargetErrors(types, settings, current)];
  const errors = misnamed.length > 0 ? misnamed : own;
  if (errors.length > 0) throw invalidFields(errors);
  return settings;
}

/** Returns the changes for the audit log. */
export function settingsChanges(
  types: RuleTypes,
  before: RuleSettings,
  after: AnyRuleSettings,
): Record<string, { from: unknown; to: unknown }> {
  return changesOf(settingsOf(types, before), after);
}

function withFields(
  { condition, targets }: RuleTypes,
  { name, type, metric, severity, channels, enabled }: RuleSettings,
  valueFor: (name: string, field: RuleField) => unknown,
): AnyRuleSettings {
  const values = (fields: RuleTypes['condition']) =>
    Object.fromEntries([...fields].map(([key, field]) => [key, valueFor(key, field)]));
  return { name, type, metric, ...values(condition), severity, ...values(targets), channels, enabled };
}

/** `type` and `metric` may both name an event; then they must be equal. */
function typeErrors(input: Partial<RuleSettings>, type: AlertRuleType): FieldError[] {
  const { metric } = input;
  if (metric === undefined || type.metric !== null || metric === type.type) return [];
  return [foreign('metric', type)];
}

function settingsErrors(types: RuleTypes, type: AlertRuleType, settings: AnyRuleSettings): FieldError[] {
  const fields = [...types.condition.keys(), ...types.targets.keys()];
  const errors = fields
    .filter((name) => settings[name] !== null && !hasField(type, name))
    .map((name) => foreign(name, type));
  const metric = type.metric === null ? [] : metricErrors(types, type, settings.metric);
  const own = type.validate(settings).filter(({ path }) => path !== '/metric' || metric.length === 0);
  return [...errors, ...metric, ...own];
}

/**
 * Returns an error for each list of targets that becomes empty, because nobody means a rule that applies to nothing. One that
 * the deletion of its targets has emptied may stay so.
 */
function emptyTargetErrors(types: RuleTypes, settings: AnyRuleSettings, current: RuleSettings | null): FieldError[] {
  const isEmpty = (value: unknown) => Array.isArray(value) && value.length === 0;
  const stored: Readonly<Record<string, unknown>> = { ...current };
  return [...types.targets]
    .filter(([name, { refersTo }]) => refersTo !== undefined && isEmpty(settings[name]) && !isEmpty(stored[name]))
    .map(([name]) => ({ path: `/${name}`, message: 'must not be empty', code: 'empty' }));
}

function metricErrors(types: RuleTypes, type: AlertRuleType, metric: string): FieldError[] {
  if (metric === '') return [{ path: '/metric', message: 'is missing', code: 'required' }];
  return types.find(metric) === null ? [] : [foreign('metric', type)];
}

function foreign(name: string, type: AlertRuleType): FieldError {
  return { path: `/${name}`, message: `does not belong to a rule of type ${type.type}` };
}
