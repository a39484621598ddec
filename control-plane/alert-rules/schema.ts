import { type Static, type TSchema, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Name, Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import type { RuleSettings } from './documents.js';
import { EXAMPLE_ID, replyExamples } from './examples.js';
import type { NewRule, RuleField, RulePatch } from './rule-type.js';
import type { RuleTypes } from './rule-types.js';

const SEVERITIES = ['critical', 'warning', 'info'] as const;
const CHANNELS_MAX = 50;
const METRIC_CHARS_MAX = 250;

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const closed = { additionalProperties: false };

export const AlertRuleId = Type.Object(
  { id: Type.String({ pattern: idPattern('rule'), examples: [EXAMPLE_ID] }) },
  closed,
);
export type AlertRuleId = Static<typeof AlertRuleId>;

export const ListAlertRules = Type.Object({ ...PageParameters }, closed);
export type ListAlertRules = Static<typeof ListAlertRules>;

/** A rule as the API shows it, with the fields of all types. */
export type AlertRule = RuleSettings & { id: string; created_at: string; updated_at: string } & Readonly<
    Record<string, unknown>
  >;

/** Returns the schemas that depend on the rule types of the slices. */
export function alertRuleSchemas(types: RuleTypes) {
  const name = Name({ examples: ['CPU is busy'] });
  const inputs = inputFields(types);
  return {
    /** A rule as the API shows it. */
    AlertRule: Type.Unsafe<AlertRule>(
      Type.Object(replyFields(types), { ...closed, title: 'AlertRule', examples: replyExamples(types) }),
    ),
    CreateAlertRule: Type.Unsafe<NewRule>(
      Type.Object(
        { name, ...inputs },
        { ...closed, title: 'CreateAlertRule', examples: types.all.flatMap(({ examples }) => [...examples.create]) },
      ),
    ),
    UpdateAlertRule: Type.Unsafe<RulePatch>(
      Type.Object(
        { name: Type.Optional(name), ...inputs },
        { ...closed, title: 'UpdateAlertRule', examples: types.all.flatMap(({ examples }) => [...examples.update]) },
      ),
    ),
  };
}

function replyFields(types: RuleTypes): Record<string, TSchema> {
  return {
    id: Type.String({ examples: [EXAMPLE_ID] }),
    name: Type.String(),
    type: Type.Enum(types.all.map(({ type }) => type)),
    metric: Type.String({
      description: 'The metric of the rule. For types other than `metric`, the type of the rule.',
    }),
    ...schemas(types.condition, ({ value }) => value),
    severity: Type.Enum(SEVERITIES),
    ...schemas(types.targets, ({ value }) => value),
    channels: nullable(Type.Array(Type.String())),
    enabled: Type.Boolean(),
    created_at: Time,
    updated_at: Time,
  };
}

function inputFields(types: RuleTypes): Record<string, TSchema> {
  const input = ({ input: schema }: RuleField) => Type.Optional(schema);
  return {
    type: Type.Optional(
      Type.Enum(
        types.all.map(({ type }) => type),
        { description: types.all.map(({ type, description }) => `\`${type}\`: ${description}.`).join(' ') },
      ),
    ),
    metric: Type.Optional(metricSchema(types)),
    ...schemas(types.condition, input),
    severity: Type.Optional(Type.Enum(SEVERITIES, { description: severityDescription(types) })),
    ...schemas(types.targets, input),
    channels: Type.Optional(
      nullable(Type.Array(Type.String({ pattern: idPattern('chn') }), { maxItems: CHANNELS_MAX, uniqueItems: true }), {
        description:
          'Channels that are notified of its incidents; null means every channel of the workspace, `[]` means none.',
      }),
    ),
    enabled: Type.Optional(Type.Boolean({ description: 'Defaults to true. Disabling a rule resolves its incidents.' })),
  };
}

function metricSchema({ all }: RuleTypes): TSchema {
  const withMetric = all.flatMap(({ metric }) => (metric === null ? [] : [metric]));
  return Text({
    minLength: 1,
    maxLength: METRIC_CHARS_MAX,
    description: [
      ...withMetric.map(({ description }) => description),
      'For types other than `metric`, you can set the type here instead of in `type`.',
    ].join(' '),
    examples: withMetric.flatMap(({ examples }) => examples),
  });
}

function severityDescription({ all }: RuleTypes): string {
  const others = all.filter(({ defaultSeverity }) => defaultSeverity !== 'warning');
  const exceptions = others.map(({ type, defaultSeverity }) => `\`${defaultSeverity}\` for \`${type}\``);
  return `Defaults to ${[...exceptions, `${exceptions.length === 0 ? '' : 'else to '}\`warning\``].join(', ')}.`;
}

function schemas(fields: RuleTypes['condition'], schemaOf: (field: RuleField) => TSchema): Record<string, TSchema> {
  return Object.fromEntries([...fields].map(([name, field]) => [name, schemaOf(field)]));
}
