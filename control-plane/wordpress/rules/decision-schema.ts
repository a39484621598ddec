import { type Static, Type } from 'typebox';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { CHECK_IDS } from '../checks/catalogue.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why a check of a WordPress site opened an incident. */
export const WordpressDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['wordpress_check_failed']),
        severity: Type.Enum(['critical', 'warning', 'info']),
      },
      { ...closed, description: 'The rule at the time of the decision.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Other rules that share this incident.',
    }),
    wordpress: Type.Object(
      {
        site: Type.String(),
        url: Type.String(),
        check: Type.Enum([...CHECK_IDS]),
        evidence: Type.String({ description: 'Of the last measurement before the decision.' }),
        measurements: Type.Integer({ description: 'The consecutive measurements that failed.' }),
        from_outside: Type.Boolean({ description: 'Whether one of them was made from outside.' }),
        passed_at: Type.String({ format: 'date-time', description: 'The last measurement that passed before.' }),
      },
      { ...closed, description: 'The check at the time of the decision.' },
    ),
    reason: Type.String(),
    times: Type.Object(
      {
        failing_since: Time,
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_failing_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'WordpressDecision' },
);
export type WordpressDecision = Static<typeof WordpressDecision>;
