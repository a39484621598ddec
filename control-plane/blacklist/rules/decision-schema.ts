import { type Static, Type } from 'typebox';
import { SENT_NOTIFICATION } from '../../incidents/decision-view.js';
import { LIST_STATUSES } from '../results.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableText = Type.Union([Type.String(), Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };
const SEVERITIES = ['critical', 'warning', 'info'] as const;

const Lookup = Type.Object({ at: Time, codes: Type.Array(Type.String()), reason: NullableText }, closed);

/** Why a listing opened an incident, with the two lookups that confirmed it. */
export const ListingDecision = Type.Object(
  {
    rule: Type.Object(
      {
        id: Type.String(),
        name: Type.String(),
        version: Type.Integer(),
        type: Type.Enum(['blacklist_listed']),
        severity: Type.Enum(SEVERITIES),
      },
      { ...closed, description: 'The rule at the time of the decision.' },
    ),
    other_rules: Type.Array(Type.Object({ id: Type.String(), name: Type.String() }, closed), {
      description: 'Other rules that share this incident.',
    }),
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
        evaluated_at: Time,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(Type.Object({ ...SENT_NOTIFICATION, after_listed_ms: NullableInteger }, closed)),
      },
      closed,
    ),
  },
  { ...closed, title: 'ListingDecision' },
);
export type ListingDecision = Static<typeof ListingDecision>;
