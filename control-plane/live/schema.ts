import { type Static, Type } from 'typebox';

export const EventsQuery = Type.Object(
  {
    last_event_id: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description:
          'The same as the header `Last-Event-ID`, for a page that opens a new stream: browsers send the header only when they connect again by themselves. The header is used if both are there.',
      }),
    ),
  },
  { additionalProperties: false },
);
export type EventsQuery = Static<typeof EventsQuery>;
