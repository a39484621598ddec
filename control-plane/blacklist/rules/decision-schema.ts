import { type Static, Type } from 'typebox';
import { DECISION_TIMES, decidingRule, OtherRules, Time } from '../../alert-rules/decision/schema.js';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { LIST_STATUSES } from '../results.js';

const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

const Lookup = Type.Object({ at: Time, codes: Type.Array(Type.String()), reason: NullableText }, closed);

/** Why a listing opened an incident, with the two lookups that confirmed it. */
export const ListingDecision = Type.Object(
  {
    rule: decidingRule('blacklist_listed'),
    other_rules: OtherRules,
    listing: Type.Object(
      {
        provider: Type.String(),
        provider_name: Type.String(),
        zone: Type.String(),
        target: Type.String(),
        addresses: Type.Array(Type.String(), { description: 'For a domain: its listed addresses.' }),
        codes: Type.Array(Type.String()),
        meanings: Type.Array(Type.String()),
        policy: Type.Boolean(),
        reason: Type.Union([Type.String(), Type.Null()], { description: 'Text of the list.' }),
        delist_url: NullableText,
        first: Lookup,
        confirmed: Lookup,
        tested: Type.Boolean({ description: 'Whether the list passed its own tests during the second lookup.' }),
      },
      { ...closed, description: 'The listing at the time of the incident, and the two lookups that confirmed it.' },
    ),
    answer: Type.Union(
      [
        Type.Object(
          {
            at: Time,
            status: Type.Enum(LIST_STATUSES),
            codes: Type.Array(Type.String()),
            policy: Type.Boolean(),
            reason: NullableText,
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'In `recovery`: the final answer of the list.' },
    ),
    reason: Type.String(),
    times: Type.Object(
      {
        listed_since: Time,
        ...DECISION_TIMES,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_listed_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'ListingDecision' },
);
export type ListingDecision = Static<typeof ListingDecision>;
