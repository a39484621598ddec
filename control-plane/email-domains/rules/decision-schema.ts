import { type Static, Type } from 'typebox';
import { DECISION_TIMES, decidingRule, OtherRules, Time } from '../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { AREAS } from '../areas/area.js';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why the settings of an e-mail domain opened an incident. */
export const EmailDecision = Type.Object(
  {
    rule: decidingRule('email_score_fell'),
    other_rules: OtherRules,
    email: Type.Object(
      {
        domain: Type.String(),
        from_score: Type.Union([Type.Integer(), Type.Null()], { description: 'Before the fall.' }),
        score: NullableInteger,
        failing: Type.Array(Type.Object({ area: Type.Enum([...AREAS]), message: Type.String() }, closed), {
          description: 'The areas that failed, with the first finding of each.',
        }),
      },
      { ...closed, description: 'The score and the areas at the time of the decision.' },
    ),
    reason: Type.String(),
    times: Type.Object(
      {
        since: Time,
        ...DECISION_TIMES,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_since_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'EmailDecision' },
);
export type EmailDecision = Static<typeof EmailDecision>;
