import { type Static, Type } from 'typebox';
import { idPattern } from '../storage/ids.js';

export const JOIN_TOKEN_ID = 'jtk_01kf5e6q0h3v8r2m9x4t7c1z5n';
const closed = { additionalProperties: false } as const;

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

export const JoinTokenId = Type.Object(
  { id: Type.String({ pattern: idPattern('jtk'), examples: [JOIN_TOKEN_ID] }) },
  closed,
);

/** Fields of a join token in a list, without the token itself, which is not stored. */
const LISTED = {
  id: Type.String({ examples: [JOIN_TOKEN_ID] }),
  status: Type.Enum(['open', 'used', 'expired'], { description: 'Only an open one lets a node join.' }),
  created_by: Type.Object(
    {
      id: Type.Union([Type.String(), Type.Null()], {
        examples: ['usr_01kf5e6q0h3v8r2m9x4t7c1z5n'],
        description: '`null` for `scripts/picket join-token`.',
      }),
      email: Type.String({ examples: ['ada@example.com'] }),
    },
    { ...closed, description: 'The token works only while this person may create it.' },
  ),
  created_at: Timestamp,
  expires_at: Timestamp,
  used_at: Type.Union([Timestamp, Type.Null()]),
};

/** A join token for a server in the list of its workspace. */
export const JoinTokenView = Type.Object(
  {
    ...LISTED,
    used_by: Type.Union([Type.String(), Type.Null()], {
      examples: ['srv_01kf5e6q0h3v8r2m9x4t7c1z5n'],
      description: 'The id of the server or probe that joined with it.',
    }),
  },
  { ...closed, title: 'JoinTokenInList' },
);
export type JoinTokenView = Static<typeof JoinTokenView>;
