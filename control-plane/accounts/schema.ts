import { type Static, Type } from 'typebox';
import type { Scope } from '../actor.js';
import { PLAN_NAMES } from '../plans/plans.js';
import { ROLES } from '../roles.js';
import { idPattern } from '../storage/ids.js';
import { ApiKeyId, ExpiresAt, scopeList, TimestampOrNull } from './api-keys/schema.js';

const closed = { additionalProperties: false };

export type Account = Static<ReturnType<typeof accountSchema>>;

/** Returns the schema of an account. `scopes` are those of all slices. */
export function accountSchema(scopes: readonly Scope[]) {
  const ownKey = Type.Object(
    {
      id: ApiKeyId,
      name: Type.String({ examples: ['Deployment'] }),
      scopes: scopeList(scopes),
      last_used_at: TimestampOrNull,
      expires_at: ExpiresAt,
    },
    closed,
  );
  const features = Type.Object(
    {
      scoped_keys: Type.Boolean({ description: 'API keys with some scopes only.' }),
      audit_export: Type.Boolean({ description: 'Exports and forwarders of the audit log.' }),
      single_sign_on: Type.Boolean({ description: 'An identity provider of the workspace.' }),
    },
    { ...closed, description: 'What the plan of the workspace includes.' },
  );
  return Type.Object(
    {
      id: Type.String({ pattern: idPattern('usr') }),
      email: Type.String({ examples: ['owner@example.com'] }),
      plan: Type.Enum([...PLAN_NAMES], { examples: ['Enterprise'] }),
      features,
      role: Type.Enum([...ROLES]),
      operator: Type.Boolean({
        description:
          'Whether this session or key acts in the workspace of the operators for one of its owners or admins, who may use `/v1/admin/...`. A key also needs full access.',
      }),
      workspace: Type.Object(
        { id: Type.String({ pattern: idPattern('ws') }), name: Type.String({ examples: ['Example Ltd'] }) },
        closed,
      ),
      api_key: Type.Union([ownKey, Type.Null({ description: 'null when a person is logged in.' })]),
    },
    { ...closed, title: 'Account' },
  );
}
