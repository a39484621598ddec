import { type Static, Type } from 'typebox';
import { SENT_NOTIFICATION, SilentDecision } from '../../incidents/decision-view.js';
import { idPattern } from '../../storage/ids.js';
import { ABSTENTIONS, NOT_COUNTED } from '../decision-record.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const NullableTime = Type.Union([Time, Type.Null()]);
const NullableInteger = Type.Union([Type.Integer(), Type.Null()]);
const closed = { additionalProperties: false };

const Vote = Type.Object(
  {
    location: Type.String(),
    vote: Type.Enum(['up', 'down', 'unknown']),
    counted_as: Type.Enum(['up', 'down', 'none'], { description: 'How the decision counted the vote.' }),
    not_counted_because: Type.Union([Type.Enum([...NOT_COUNTED]), Type.Null()], {
      description:
        'Why `counted_as` is `none`: the value of `abstained`, `retrying` or `doubted`; null when it is not.',
    }),
    abstained: Type.Union([Type.Enum([...ABSTENTIONS]), Type.Null()], {
      description: 'Why the vote is unknown; null when it is not.',
    }),
    retrying: Type.Boolean({ description: 'The check failed and a retry follows. The vote does not count as down.' }),
    held_from: Type.Union([Type.String(), Type.Null()], {
      description:
        'ID of an earlier final failure (no retries left). No successful result followed, so the location still counts as down while the newest failed check is retried.',
    }),
    doubted: Type.Boolean({
      description:
        "The vote does not count because the location's own network may have caused the failure: `confirmations` is less than a majority, and another location sees the monitor up.",
    }),
    before: Type.Union([Type.Object({ status: Type.Enum(['up', 'down']), at: Time }, closed), Type.Null()], {
      description:
        'What the location had seen before `result`. `up`: `at` is its last successful check. `down`: `at` is its first failed check of the failure that ended with the result. null if it is not known, and in decisions before an update of Picket.',
    }),
    result: Type.Union([
      Type.Object(
        {
          id: Type.String({
            pattern: idPattern('res'),
            description: 'ID of the result in `GET /v1/monitors/{id}/results`.',
          }),
          checked_at: Time,
          received_at: Time,
          up: Type.Boolean(),
          attempt: Type.Integer(),
          response_time_ms: Type.Number({ description: 'Rounded to tenths.' }),
          error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }, closed), Type.Null()]),
        },
        closed,
      ),
      Type.Null(),
    ]),
  },
  closed,
);

/** Why the verdict was made. Contains everything needed to replay the decision. */
export const Decision = Type.Object(
  {
    rule: Type.Object(
      {
        version: Type.Integer(),
        confirmations: Type.Union([Type.Integer(), Type.Null()]),
        required_down_votes: Type.Integer(),
        retries: Type.Integer(),
        interval_seconds: Type.Integer(),
        vote_valid_ms: Type.Integer(),
        assigned_locations: Type.Integer(),
      },
      closed,
    ),
    before: Type.Object(
      {
        status: Type.Enum(['up', 'down']),
        first_failed_at: NullableTime,
        recovering_since: NullableTime,
        first_good_round_at: NullableTime,
      },
      closed,
    ),
    evaluated_at: NullableTime,
    votes: Type.Array(Vote),
    counts: Type.Object(
      {
        up: Type.Integer(),
        down: Type.Integer(),
        unknown: Type.Integer(),
        retrying: Type.Integer(),
        doubted: Type.Integer(),
        none: Type.Integer(),
      },
      {
        ...closed,
        description:
          'Sums of `counted_as`: `up`, `down` and `none`. `none` is the sum of `unknown`, `retrying` and `doubted`.',
      },
    ),
    outcome: Type.Enum(['down', 'up', 'unchanged']),
    reason: Type.String(),
    silent: SilentDecision,
    times: Type.Object(
      {
        first_failed_at: NullableTime,
        confirmed_at: NullableTime,
        opened_at: NullableTime,
        recovered_at: NullableTime,
        notifications: Type.Array(
          Type.Object({ ...SENT_NOTIFICATION, after_first_failed_ms: NullableInteger }, closed),
        ),
      },
      closed,
    ),
  },
  { ...closed, title: 'Decision' },
);
export type Decision = Static<typeof Decision>;
