import { type Static, Type } from 'typebox';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { TIMELINE_EXAMPLE } from './examples.js';

const Time = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Resource = Type.Object(
  { type: Type.String(), id: Type.String(), name: Type.String() },
  { additionalProperties: false },
);
const closed = { additionalProperties: false };

export const TimelineQuery = Type.Object(
  {
    from: Type.Optional(Type.String({ format: 'date-time' })),
    to: Type.Optional(Type.String({ format: 'date-time', description: 'Up to and including this time.' })),
    resource_id: Type.Optional(
      Type.String({ minLength: 1, maxLength: 100, description: 'Only entries about this object.' }),
    ),
    ...PageParameters,
  },
  closed,
);
export type TimelineQuery = Static<typeof TimelineQuery>;

export const TimelineLine = Type.Object(
  {
    id: Type.String({ pattern: idPattern('tle') }),
    at: Time,
    type: Type.String({ examples: ['incident.opened', 'monitor.status_changed', 'monitor.updated'] }),
    resource: Resource,
    message: Type.String(),
    actor: Type.String(),
    metadata: Type.Record(Type.String(), Type.Unknown()),
  },
  { ...closed, title: 'TimelineLine', examples: [TIMELINE_EXAMPLE] },
);
export type TimelineLine = Static<typeof TimelineLine>;
