import { type Static, Type } from 'typebox';
import { Name } from '../../http/input/text.js';
import { idPattern } from '../../storage/ids.js';
import { TOKEN_PATTERN } from './token.js';

const NAME_CHARS_MAX = 80;
const closed = { additionalProperties: false } as const;
const EXAMPLE_ID = 'mfd_01kf5e6q0h3v8r2m9x4t7c1z5n';
const EXAMPLE_TOKEN = 'q3J0mC8vVxY1sZ6tB4nK7wRe2LdUoPfGhAi9jXkTyMc';
const EXAMPLE = {
  id: EXAMPLE_ID,
  name: 'Calendar of the team',
  created_by: 'ada@example.com',
  created_at: '2026-01-31T12:00:00.000Z',
};

export const FeedId = Type.Object({ id: Type.String({ pattern: idPattern('mfd'), examples: [EXAMPLE_ID] }) }, closed);

export const CreateFeed = Type.Object(
  { name: Name({ maxLength: NAME_CHARS_MAX, description: 'Who reads it.', examples: [EXAMPLE.name] }) },
  { ...closed, title: 'CreateMaintenanceFeed', examples: [{ name: EXAMPLE.name }] },
);
export type CreateFeed = Static<typeof CreateFeed>;

const fields = {
  id: FeedId.properties.id,
  name: Type.String(),
  created_by: Type.String({ description: 'E-mail address of the person who created it, also with an API key.' }),
  created_at: Type.String({ format: 'date-time' }),
};

export const Feed = Type.Object(fields, { ...closed, title: 'MaintenanceFeed', examples: [EXAMPLE] });
export type Feed = Static<typeof Feed>;

export const CreatedFeed = Type.Object(
  {
    ...fields,
    url: Type.String({
      description: 'For calendar programs. Shown only once: whoever has it can read all maintenance of the workspace.',
    }),
  },
  {
    ...closed,
    title: 'CreatedMaintenanceFeed',
    examples: [
      { ...EXAMPLE, url: `https://picket.example.com/v1/maintenance-feeds/calendar.ics?token=${EXAMPLE_TOKEN}` },
    ],
  },
);

export const FeedQuery = Type.Object(
  { token: Type.String({ pattern: TOKEN_PATTERN, examples: [EXAMPLE_TOKEN] }) },
  closed,
);
