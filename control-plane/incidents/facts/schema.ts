import { type Static, Type } from 'typebox';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const closed = { additionalProperties: false };

/** What `message` says, as fields: a program or a page can say it in another language. */
export const IncidentFacts = Type.Union(
  [
    Type.Object(
      {
        type: Type.Literal('outage'),
        failing: Type.Integer({ description: 'Locations whose failure the decision counted.' }),
        of: Type.Integer({ description: 'Locations with a valid vote.' }),
        needed: Type.Integer(),
        error: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }, closed), Type.Null()], {
          description: 'What most of them reported.',
        }),
        has_other_errors: Type.Boolean(),
      },
      closed,
    ),
    Type.Object(
      {
        type: Type.Literal('metric'),
        metric: Type.String({ description: 'With its device, such as `disk_used_percent:/var`.' }),
        operator: Type.String(),
        threshold: Type.Number(),
        value: Type.Number({ description: 'When the incident opened, in the unit of the metric.' }),
        since: Time,
      },
      closed,
    ),
    Type.Object({ type: Type.Literal('server_offline'), since: Time }, closed),
    Type.Object(
      {
        type: Type.Literal('disk_full'),
        mount: Type.String(),
        used_percent: Type.Number(),
        full_at: Type.Union([Time, Type.Null()], { description: 'null if the disk is full already.' }),
      },
      closed,
    ),
    Type.Object({ type: Type.Literal('certificate'), expires_at: Time, issuer: Type.String() }, closed),
    Type.Object(
      {
        type: Type.Literal('blacklist'),
        list: Type.String(),
        meanings: Type.Array(Type.String(), { description: 'The codes of a list without meanings.' }),
      },
      closed,
    ),
    Type.Null(),
  ],
  {
    description:
      'Why it opened, as fields. null for other kinds, and for incidents about certificates from before an update of Picket.',
  },
);
export type IncidentFacts = Static<typeof IncidentFacts>;
