import { type Static, Type } from 'typebox';
import { DECISION_TIMES, decidingRule, OtherRules, Time } from '../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { STAGES } from './stage.js';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why the registration of a domain opened an incident. */
export const DomainDecision = Type.Object(
  {
    rule: decidingRule('domain_expiring'),
    other_rules: OtherRules,
    registration: Type.Object(
      {
        domain: Type.String(),
        expires_at: Type.Union([Time, Type.Null()], {
          description: 'As the registry said at the time of the decision.',
        }),
        checked_at: Type.Union([Time, Type.Null()], {
          description: 'When the registry had last answered: `expires_at` is as of then.',
        }),
        registrar: Type.Union([Type.String(), Type.Null()]),
        days: Type.Enum([...STAGES], { description: 'The incident opened with at most this many days left.' }),
      },
      { ...closed, description: 'The registration at the time of the decision.' },
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
  { ...closed, title: 'DomainDecision' },
);
export type DomainDecision = Static<typeof DomainDecision>;
