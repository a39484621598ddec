import { type Static, Type } from 'typebox';
import { PageParameters } from '../http/paging.js';
import { Text } from '../http/text.js';
import { idPattern } from '../storage/ids.js';
import { AUDIT_ACTIONS } from './actions.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const Hash = Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$' }), Type.Null()]);
const ACTOR_CHARS_MAX = 320;

export const AuditEntry = Type.Object(
  {
    id: Type.String({ pattern: idPattern('evt'), examples: ['evt_01jjwzmz000000000000000000'] }),
    timestamp: Timestamp,
    actor: Type.Object(
      {
        id: Type.Union([Type.String(), Type.Null()], { description: 'null for the system.' }),
        email: Type.String({ examples: ['owner@example.com'] }),
        ip: Type.Union([Type.String({ examples: ['192.0.2.7'] }), Type.Null()]),
      },
      { additionalProperties: false },
    ),
    action: Type.Enum([...AUDIT_ACTIONS], { examples: ['monitor.created'] }),
    severity: Type.Enum(['info', 'warning', 'critical']),
    resource: Type.Object(
      {
        type: Type.String({ examples: ['monitor'] }),
        id: Type.String({ examples: ['mon_01jjwzmz000000000000000000'] }),
        name: Type.String({ examples: ['Shop'] }),
      },
      { additionalProperties: false },
    ),
    workspace_id: Type.String({ pattern: idPattern('ws') }),
    metadata: Type.Record(Type.String(), Type.Unknown(), { examples: [{ interval_minutes: 1, check_type: 'http' }] }),
    request_id: Type.String(),
    hash: Type.Unsafe<Static<typeof Hash>>({
      ...Hash,
      description:
        'SHA-256 of `previous_hash`, a line feed, and this entry without its two hashes as RFC 8785 JSON; null until sealed.',
    }),
    previous_hash: Type.Unsafe<Static<typeof Hash>>({
      ...Hash,
      description: 'Hash of the entry before it in the workspace; 64 zeros in the first.',
    }),
  },
  { additionalProperties: false },
);
export type AuditEntry = Static<typeof AuditEntry>;

export const ListAuditLogs = Type.Object(
  {
    from: Type.Optional(Timestamp),
    to: Type.Optional(Timestamp),
    action: Type.Optional(Type.Enum([...AUDIT_ACTIONS])),
    actor: Type.Optional(
      Text({ minLength: 1, maxLength: ACTOR_CHARS_MAX, description: 'A user id, an e-mail address, or `system`.' }),
    ),
    ...PageParameters,
  },
  { additionalProperties: false },
);
