import { type Static, Type } from 'typebox';
import type { Scope } from '../actor.js';
import { Name } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { PLAN_NAMES } from '../plans/plans.js';
import { idPattern } from '../storage/ids.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);
const ExpiresAt = Type.Union([Timestamp, Type.Null()], {
  description: 'When the key stops working; null for never.',
  examples: [null],
});
const closed = { additionalProperties: false };

const ApiKeyId = Type.String({
  pattern: idPattern('key'),
  examples: ['key_01jjwzmz000000000000000000'],
});

export const ApiKeyParams = Type.Object({ id: ApiKeyId }, closed);
export const ApiKeyPage = Type.Object(PageParameters, closed);

export type AccountSchemas = ReturnType<typeof accountSchemas>;
export type CreateApiKey = Static<AccountSchemas['CreateApiKey']>;
export type ApiKey = Static<AccountSchemas['ApiKey']>;
export type Account = Static<AccountSchemas['Account']>;

/** Returns the schemas that name scopes. `scopes` are those of all slices. */
export function accountSchemas(scopes: readonly Scope[]) {
  const Scopes = scopeList(scopes);
  const fields = {
    id: ApiKeyId,
    name: Name({ examples: ['Deployment'] }),
    last_four: Type.String({ description: 'The last four characters of the key.', examples: ['x7Qa'] }),
    scopes: Scopes,
    created_at: Timestamp,
    last_used_at: TimestampOrNull,
    expires_at: ExpiresAt,
  };
  return {
    CreateApiKey: createSchema(Scopes),
    ApiKey: Type.Object(fields, { ...closed, title: 'ApiKey' }),
    CreatedApiKey: Type.Object({ ...fields, key: SecretKey }, { ...closed, title: 'CreatedApiKey' }),
    Account: accountSchema(Scopes),
  };
}

type Scopes = ReturnType<typeof scopeList>;

/** Scopes, or `*` alone: the caller checks that. */
function scopeList(scopes: readonly Scope[]) {
  const names: (Scope | '*')[] = ['*', ...scopes];
  return Type.Array(Type.Enum(names), { minItems: 1, maxItems: Math.max(1, scopes.length), uniqueItems: true });
}

/** Only the answer to the request that creates a key carries it. */
const SecretKey = Type.String({
  pattern: '^pk_live_[0-9A-Za-z]{38}$',
  description: 'The key. This is the only response that contains it; Picket stores a hash.',
  examples: [`pk_live_${'x'.repeat(38)}`],
});

function createSchema(Scopes: Scopes) {
  return Type.Object(
    {
      name: Name({ examples: ['Deployment'] }),
      scopes: Type.Optional(
        Type.Unsafe<Static<Scopes>>({
          ...Scopes,
          default: ['*'],
          description: 'What the key may do. Anything but `["*"]`, full access, needs the Enterprise plan.',
          examples: [['*']],
        }),
      ),
      expires_at: Type.Optional(
        Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
          description: 'When the key stops working; null for never.',
          examples: ['2030-01-01T00:00:00.000Z'],
        }),
      ),
    },
    { ...closed, title: 'CreateApiKey' },
  );
}

function accountSchema(Scopes: Scopes) {
  const ownKey = Type.Object(
    {
      id: ApiKeyId,
      name: Type.String({ examples: ['Deployment'] }),
      scopes: Scopes,
      last_used_at: TimestampOrNull,
      expires_at: ExpiresAt,
    },
    closed,
  );
  return Type.Object(
    {
      id: Type.String({ pattern: idPattern('usr') }),
      email: Type.String({ examples: ['owner@example.com'] }),
      plan: Type.Enum([...PLAN_NAMES], { examples: ['Enterprise'] }),
      role: Type.Enum(['owner', 'admin', 'member', 'viewer']),
      operator: Type.Boolean({ description: 'Whether the account may use `/v1/admin/...`.' }),
      workspace: Type.Object(
        { id: Type.String({ pattern: idPattern('ws') }), name: Type.String({ examples: ['Example Ltd'] }) },
        closed,
      ),
      api_key: Type.Union([ownKey, Type.Null({ description: 'null when a person is signed in.' })]),
    },
    { ...closed, title: 'Account' },
  );
}
