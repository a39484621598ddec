import { type Static, Type } from 'typebox';
import { LINES_PATTERN, Verbatim } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';

const COMMENT_CHARS_MAX = 2_000;

const EXAMPLE = {
  id: 'cmt_01kf5e6q0h3v8r2m9x4t7c1z5n',
  text: 'The provider restarts the load balancer.\nNext update at 04:00.',
  author: 'owner@example.com',
  created_at: '2026-01-24T03:20:11.005Z',
};

const closed = { additionalProperties: false };

export const CreateComment = Type.Object(
  {
    text: Verbatim({
      minLength: 1,
      maxLength: COMMENT_CHARS_MAX,
      pattern: LINES_PATTERN,
      description: 'Plain text, may have several lines. Spaces at both ends are removed, and something must be left.',
    }),
  },
  { ...closed, title: 'CreateComment', examples: [{ text: EXAMPLE.text }] },
);
export type CreateComment = Static<typeof CreateComment>;

export const Comment = Type.Object(
  {
    id: Type.String({ examples: [EXAMPLE.id] }),
    text: Type.String(),
    author: Type.String({ description: 'E-mail address of the person.' }),
    created_at: Type.String({ format: 'date-time' }),
  },
  { ...closed, title: 'IncidentComment', examples: [EXAMPLE] },
);
export type Comment = Static<typeof Comment>;

export const ListComments = Type.Object({ ...PageParameters }, closed);
