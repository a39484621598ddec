import { type Static, Type } from 'typebox';
import { Text } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import type { AuditAction } from './audit.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const EXAMPLE_HASH = 'f2ca1bb6c7e907d06dafe4687e579fce76b37e4e93b7605022da52e6ccc26fd2';
const Hash = Type.Union([Type.String({ pattern: '^[0-9a-f]{64}$', examples: [EXAMPLE_HASH] }), Type.Null()]);
const ACTOR_CHARS_MAX = 320;

export type AuditSchemas = ReturnType<typeof auditSchemas>;
export type AuditEntry = Static<AuditSchemas['AuditEntry']>;
export type ListAuditLogs = Static<AuditSchemas['ListAuditLogs']>;

/** Returns the schemas that name actions. `actions` are those of all slices. */
export function auditSchemas(actions: readonly AuditAction[]) {
  const AuditEntry = entrySchema(actions);
  return {
    AuditEntry,
    AuditExport: Type.Array(AuditEntry, { title: 'AuditExport' }),
    ListAuditLogs: listSchema(actions),
  };
}

function entrySchema(actions: readonly AuditAction[]) {
  return Type.Object(
    {
      id: Type.String({ pattern: idPattern('evt'), examples: ['evt_01jjwzmz000000000000000000'] }),
      timestamp: Timestamp,
      actor: Type.Object(
        {
          id: Type.Union([Type.String(), Type.Null()], {
            description: 'null if the system acted, or somebody with the link of a notification.',
            examples: ['usr_01jjwzmz000000000000000000'],
          }),
          email: Type.String({ examples: ['owner@example.com'] }),
          ip: Type.Union([Type.String({ examples: ['192.0.2.7'] }), Type.Null()]),
          api_key: Type.Optional(
            Type.Object(
              {
                id: Type.String({ examples: ['key_01jjwzmz000000000000000000'] }),
                name: Type.String({ examples: ['Deployment'] }),
              },
              { additionalProperties: false, description: 'The API key that made the request; absent without one.' },
            ),
          ),
        },
        { additionalProperties: false },
      ),
      action: Type.Enum([...actions], { examples: ['monitor.created'] }),
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
      request_id: Type.String({ examples: ['req_8d5f0c2e9a7b4c31d6e2f0a1'] }),
      hash: Type.Unsafe<Static<typeof Hash>>({
        ...Hash,
        description:
          'SHA-256 of `previous_hash`, a line feed, and this entry without its two hashes as RFC 8785 JSON. null until the entry is sealed.',
      }),
      previous_hash: Type.Unsafe<Static<typeof Hash>>({
        ...Hash,
        description: '`hash` of the previous entry in the workspace; 64 zeros in the first entry.',
        examples: ['039aed14bb495c68ffea80db35275dde50d4f39f6197158beeccf9449f9cb915'],
      }),
    },
    { additionalProperties: false, title: 'AuditEntry' },
  );
}

function listSchema(actions: readonly AuditAction[]) {
  return Type.Object(
    {
      from: Type.Optional(Timestamp),
      to: Type.Optional(Timestamp),
      action: Type.Optional(Type.Enum([...actions])),
      actor: Type.Optional(
        Text({ minLength: 1, maxLength: ACTOR_CHARS_MAX, description: 'A user id, an e-mail address, or `system`.' }),
      ),
      format: Type.Optional(
        Type.Enum(['csv', 'json'], {
          description: 'Returns a file with all matching entries, oldest first, instead of a page.',
        }),
      ),
      ...PageParameters,
    },
    { additionalProperties: false },
  );
}
