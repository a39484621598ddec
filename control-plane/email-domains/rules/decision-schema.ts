import { type Static, Type } from 'typebox';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { AREAS } from '../areas/area.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why the settings of an e-mail domain opened an incident. */
export const EmailDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['email_score_fell']),
        severity: Type.Enum(['critical', 'warning', 'info']),
      },
      { ...closed, description: 'The rule at the time of the decision.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Other rules that share this incident.',
    }),
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
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_since_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'EmailDecision' },
);
export type EmailDecision = Static<typeof EmailDecision>;
