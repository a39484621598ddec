import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { idPattern } from '../storage/ids.js';

const EXAMPLE_CHANNEL = 'chn_01kf5e6q0h3v8r2m9x4t7c1z5n';

export const RevokeLinks = Type.Object(
  {
    channel_id: Type.Optional(
      nullable(Type.String({ pattern: idPattern('chn'), examples: [EXAMPLE_CHANNEL] }), {
        description: 'Only the links in notifications to this channel. null or missing: those of all channels.',
      }),
    ),
  },
  { additionalProperties: false, title: 'RevokeLinks', examples: [{ channel_id: EXAMPLE_CHANNEL }] },
);
export type RevokeLinks = Static<typeof RevokeLinks>;

export const RevokedLinks = Type.Object(
  {
    channel_id: nullable(Type.String()),
    revoked_at: Type.String({
      format: 'date-time',
      description: 'Links in notifications of events until this time do not work any more.',
      examples: ['2026-01-31T12:00:00.000Z'],
    }),
  },
  {
    additionalProperties: false,
    title: 'RevokedLinks',
    examples: [{ channel_id: EXAMPLE_CHANNEL, revoked_at: '2026-01-31T12:00:00.000Z' }],
  },
);
export type RevokedLinks = Static<typeof RevokedLinks>;
