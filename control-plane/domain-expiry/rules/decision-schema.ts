import { type Static, Type } from 'typebox';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { STAGES } from './stage.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why the registration of a domain opened an incident. */
export const DomainDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['domain_expiring']),
        severity: Type.Enum(['critical', 'warning', 'info']),
      },
      { ...closed, description: 'The rule at the time of the decision.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Other rules that share this incident.',
    }),
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
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_since_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'DomainDecision' },
);
export type DomainDecision = Static<typeof DomainDecision>;
