import { type Static, Type } from 'typebox';
import type { Scope } from '../../actor.js';
import { Name } from '../../http/input/text.js';
import { PageParameters } from '../../http/paging.js';
import { idPattern } from '../../storage/ids.js';
import { OVERLAP_SECONDS_DEFAULT, OVERLAP_SECONDS_MAX } from './overlap.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
export const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);
export const ExpiresAt = Type.Union([Timestamp, Type.Null()], {
  description: 'When the key stops working; null for never.',
  examples: [null],
});
const closed = { additionalProperties: false };

export const ApiKeyId = Type.String({
  pattern: idPattern('key'),
  examples: ['key_01jjwzmz000000000000000000'],
});

export const ApiKeyParams = Type.Object({ id: ApiKeyId }, closed);
export const ApiKeyPage = Type.Object(PageParameters, closed);

/** The person in whose name a key acts. */
const CreatedBy = Type.Object(
  {
    id: Type.String({ pattern: idPattern('usr'), examples: ['usr_01jjwzmz000000000000000000'] }),
    email: Type.Union([Type.String({ examples: ['anna@example.com'] }), Type.Null()], {
      description: 'null when the account was deleted.',
    }),
  },
  closed,
);

const RotateApiKey = Type.Object(
  {
    overlap_seconds: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: OVERLAP_SECONDS_MAX,
        default: OVERLAP_SECONDS_DEFAULT,
        description: 'How long the old key goes on working, unless it expires earlier.',
      }),
    ),
  },
  { ...closed, title: 'RotateApiKey' },
);

export type ApiKeySchemas = ReturnType<typeof apiKeySchemas>;
export type CreateApiKey = Static<ApiKeySchemas['CreateApiKey']>;
export type ApiKey = Static<ApiKeySchemas['ApiKey']>;

/** Returns the schemas that name scopes. `scopes` are those of all slices. */
export function apiKeySchemas(scopes: readonly Scope[]) {
  const Scopes = scopeList(scopes);
  const fields = {
    id: ApiKeyId,
    name: Name({ examples: ['Deployment'] }),
    last_four: Type.String({ description: 'The last four characters of the key.', examples: ['x7Qa'] }),
    scopes: Scopes,
    created_at: Timestamp,
    created_by: CreatedBy,
    last_used_at: TimestampOrNull,
    last_used_network: Type.Union([Type.String({ examples: ['192.0.2.10'] }), Type.Null()], {
      description: 'The IPv4 address, or the first half of the IPv6 address, of the last use.',
    }),
    expires_at: ExpiresAt,
    replaced_by: Type.Union([ApiKeyId, Type.Null()], {
      description: 'The key that a rotation made in place of this one.',
      examples: [null],
    }),
  };
  return {
    RotateApiKey,
    CreateApiKey: createSchema(Scopes),
    ApiKey: Type.Object(fields, { ...closed, title: 'ApiKey' }),
    CreatedApiKey: Type.Object({ ...fields, key: SecretKey }, { ...closed, title: 'CreatedApiKey' }),
  };
}

type Scopes = ReturnType<typeof scopeList>;

/** Scopes, or `*` alone: the caller checks that. */
export function scopeList(scopes: readonly Scope[]) {
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
