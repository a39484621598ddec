import { type Static, Type } from 'typebox';
import { DECISION_TIMES, NullableTime, OtherRules, Time } from '../../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION, SilentDecision } from '../../../incidents/decision-view.js';
import { operator } from '../fields.js';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };
const SEVERITIES = ['critical', 'warning', 'info'] as const;

/** Why a rule on servers opened an incident, with the samples that decided. */
export const RuleDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['metric', 'server_offline', 'disk_full']),
        metric: Type.String(),
        operator: operator.value,
        threshold: Type.Union([Type.Number(), Type.Null()]),
        for_seconds: Type.Union([Type.Integer(), Type.Null()]),
        within_hours: Type.Union([Type.Integer(), Type.Null()]),
        severity: Type.Enum(SEVERITIES),
      },
      { ...closed, description: 'The rule at the time of the decision.' },
    ),
    other_rules: OtherRules,
    samples: Type.Array(Type.Object({ t: Time, v: Type.Number() }, closed), {
      description: 'Samples that triggered the rule, oldest first; evenly thinned out if there are many.',
    }),
    value: Type.Union([Type.Number(), Type.Null()]),
    forecast: Type.Union([
      Type.Object({ full_at: Time, points_per_hour: Type.Number(), observed_hours: Type.Number() }, closed),
      Type.Null(),
    ]),
    reason: Type.String(),
    silent: SilentDecision,
    times: Type.Object(
      {
        breaching_since: NullableTime,
        ...DECISION_TIMES,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_breach_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'RuleDecision' },
);
export type RuleDecision = Static<typeof RuleDecision>;
