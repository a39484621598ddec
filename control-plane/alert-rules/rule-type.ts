import type { Static, TSchema } from 'typebox';
import type { FieldError } from '../errors.js';
import type { IncidentSeverity } from '../incidents/documents.js';
import type { ReferredType } from '../references/references.js';
import type { AlertRuleDocument, RuleSettings } from './documents.js';

/** A setting that only rules of some types have. Types that share a field declare the same object. */
export interface RuleField<Value extends TSchema = TSchema> {
  /** The value as it is stored and as replies show it. It must allow null: the value of rules of other types. */
  value: Value;
  /** The value in requests. Null and no value both mean the default. */
  input: TSchema;
  default: Static<Value>;
  /** The type of the things whose ids the value is a list of. Missing for a field that names none. */
  refersTo?: ReferredType;
  /** Returns the one spelling in which a value is stored and shown, for a field whose requests accept several. */
  canonical?(value: unknown): Static<Value>;
}

export type RuleFields = Readonly<Record<string, RuleField>>;

type ValuesOf<Fields extends RuleFields> = { -readonly [Name in keyof Fields]: Static<Fields[Name]['value']> };

/** Settings of any type, with the fields of the type. */
export type AnyRuleSettings = RuleSettings & Readonly<Record<string, unknown>>;

/** The settings of a new rule; fields that are left out get their defaults. */
export type NewRule = Partial<RuleSettings> & { name: string } & Readonly<Record<string, unknown>>;

/** A change of a rule. Fields that are left out do not change; the type cannot change. */
export type RulePatch = Partial<RuleSettings> & Readonly<Record<string, unknown>>;

/** What the engine needs to know of one type of alert rules. Pure; the slice of the type declares it. */
export interface AlertRuleType {
  /** As the API shows it: `metric`. */
  type: string;
  /** Completes "`type`: …" in the API documentation. */
  description: string;
  /** For a type that evaluates a metric; null where `metric` only repeats the type. At most one type has it. */
  metric: { description: string; examples: string[] } | null;
  defaultSeverity: IncidentSeverity;
  /** The fields that say when the rule fires. */
  condition: RuleFields;
  /** The fields that say which resources the rule applies to. */
  targets: RuleFields;
  /** Returns the errors that the schemas of the fields do not find. */
  validate(settings: AnyRuleSettings): FieldError[];
  /** Examples for the API documentation; fields that are left out are shown with their defaults. */
  examples: { create: readonly NewRule[]; update: readonly object[]; reply: readonly NewRule[] };
}

/** A rule type with the TypeScript type of its rules. */
export interface TypedRuleType<Rule extends AlertRuleDocument> extends AlertRuleType {
  /** Returns the rules of this type. */
  of(rules: readonly AlertRuleDocument[]): Rule[];
}

/** The rules of a typed rule type. */
export type RuleOf<Type> = Type extends TypedRuleType<infer Rule> ? Rule : never;

/** Returns the rule type, with the types of its fields. */
export function defineRuleType<const Name extends string, Condition extends RuleFields, Targets extends RuleFields>(
  definition: Omit<AlertRuleType, 'type' | 'condition' | 'targets' | 'validate'> & {
    type: Name;
    condition: Condition;
    targets: Targets;
    validate?(settings: RuleSettings & ValuesOf<Condition> & ValuesOf<Targets>): FieldError[];
  },
): TypedRuleType<AlertRuleDocument & { type: Name } & ValuesOf<Condition> & ValuesOf<Targets>> {
  type Values = { type: Name } & ValuesOf<Condition> & ValuesOf<Targets>;
  const { validate } = definition;
  return {
    ...definition,
    // The engine calls it, and stores a rule, only with values that match the schemas of the fields.
    validate: (settings) => validate?.(settings as unknown as RuleSettings & Values) ?? [],
    of: (rules) => rules.filter((rule): rule is AlertRuleDocument & Values => rule.type === definition.type),
  };
}
