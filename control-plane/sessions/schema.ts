import { type Static, Type } from 'typebox';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

export const SessionPage = Type.Object(PageParameters, closed);
export const SessionParams = Type.Object(
  { id: Type.String({ pattern: idPattern('ses'), examples: ['ses_01jjwzmz000000000000000000'] }) },
  closed,
);

export type SessionView = Static<typeof Session>;

export const Session = Type.Object(
  {
    id: SessionParams.properties.id,
    current: Type.Boolean({ description: 'Whether it is the session of this request.' }),
    device: Type.String({ description: 'From the user agent.', examples: ['Chrome on Windows'] }),
    user_agent: Type.Union([Type.String(), Type.Null()], { examples: ['Mozilla/5.0 (Windows NT 10.0; Win64; x64)'] }),
    ip: Type.Union([Type.String(), Type.Null()], {
      description: 'The network address at log-in.',
      examples: ['203.0.113.7'],
    }),
    method: Type.Enum(['password', 'passkey', 'single_sign_on', 'header'], { examples: ['password'] }),
    second_factor: Type.Boolean({ description: 'Whether the person proved a second factor.' }),
    workspace_id: Type.String({ pattern: idPattern('ws'), examples: ['ws_01jjwzmz000000000000000000'] }),
    created_at: Timestamp,
    last_used_at: Type.String({ format: 'date-time', description: 'Accurate to a minute.' }),
    expires_at: Type.String({
      format: 'date-time',
      description: 'Each use makes it later: 30 days after the last use, 12 hours for operators.',
    }),
  },
  { ...closed, title: 'Session' },
);
