import { type Static, Type } from 'typebox';
import { DECISION_TIMES, decidingRule, OtherRules, Time } from '../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { CHECK_IDS } from '../checks/catalogue.js';

const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

/** Why a check of a WordPress site opened an incident. */
export const WordpressDecision = Type.Object(
  {
    rule: decidingRule('wordpress_check_failed'),
    other_rules: OtherRules,
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
        ...DECISION_TIMES,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_failing_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'WordpressDecision' },
);
export type WordpressDecision = Static<typeof WordpressDecision>;
