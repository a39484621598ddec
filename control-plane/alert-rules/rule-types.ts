import type { AlertRuleType, RuleField } from './rule-type.js';

/** The rule types of all slices. */
export interface RuleTypes {
  all: readonly AlertRuleType[];
  /** The fields of all types by name, in the order in which the API shows them. */
  condition: ReadonlyMap<string, RuleField>;
  targets: ReadonlyMap<string, RuleField>;
  /** null for a type that no slice declares. */
  find(type: string): AlertRuleType | null;
  /** Returns the type that a request means: events may be named in `metric` instead of `type`. */
  named(input: { type?: string | undefined; metric?: string | undefined }): AlertRuleType | null;
}

/** Throws when two types have the same name, or declare one field differently. */
export function createRuleTypes(types: readonly AlertRuleType[]): RuleTypes {
  const byName = new Map(types.map((type) => [type.type, type]));
  if (byName.size !== types.length) throw new Error('two slices declare the same type of alert rules');
  const withMetric = types.find(({ metric }) => metric !== null) ?? null;
  const find = (name: string) => byName.get(name) ?? null;
  return {
    all: types,
    condition: merge(types, 'condition'),
    targets: merge(types, 'targets'),
    find,
    named({ type, metric = '' }) {
      return type === undefined ? (find(metric) ?? withMetric) : find(type);
    },
  };
}

/** Whether rules of the type have the field. */
export function hasField(type: AlertRuleType, name: string): boolean {
  return name in type.condition || name in type.targets;
}

function merge(types: readonly AlertRuleType[], part: 'condition' | 'targets'): Map<string, RuleField> {
  const fields = new Map<string, RuleField>();
  for (const type of types) {
    for (const [name, field] of Object.entries(type[part])) {
      if ((fields.get(name) ?? field) !== field)
        throw new Error(`two types of alert rules declare ${name} differently`);
      fields.set(name, field);
    }
  }
  return fields;
}
