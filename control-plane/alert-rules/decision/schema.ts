import { Type } from 'typebox';

/** What the schemas of the decisions of all rule types have in common. */

const closed = { additionalProperties: false } as const;

export const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
export const NullableTime = Type.Union([Time, Type.Null()]);

/** Returns the schema of the rule that decided, which has this rule type. */
export function decidingRule<const Name extends string>(type: Name) {
  return Type.Object(
    {
      id: Type.String(),
      name: Type.String(),
      version: Type.Integer(),
      type: Type.Enum([type]),
      severity: Type.Enum(['critical', 'warning', 'info']),
    },
    { ...closed, description: 'The rule at the time of the decision.' },
  );
}

export const OtherRules = Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
  description: 'Other rules that share this incident.',
});

/** The times of a decision beside that of the cause. */
export const DECISION_TIMES = { evaluated_at: Time, opened_at: NullableTime, recovered_at: NullableTime };
