import { type Static, Type } from 'typebox';
import { Name } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { idPattern } from '../storage/ids.js';
import { PLAN_NAMES } from './plans.js';
import { SCOPES } from './scopes.js';

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const TimestampOrNull = Type.Union([Timestamp, Type.Null()]);
const ExpiresAt = Type.Union([Timestamp, Type.Null()], { description: 'null for never.', examples: [null] });

export const ApiKeyId = Type.String({
  pattern: idPattern('key'),
  examples: ['key_01jjwzmz000000000000000000'],
});

/** A scope or `*`, which stands alone. */
const Scopes = Type.Array(Type.Enum(['*', ...SCOPES]), { minItems: 1, maxItems: SCOPES.length, uniqueItems: true });

export const CreateApiKey = Type.Object(
  {
    name: Name({ examples: ['Deployment'] }),
    scopes: Type.Optional(
      Type.Unsafe<Static<typeof Scopes>>({
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
  { additionalProperties: false, title: 'CreateApiKey' },
);
export type CreateApiKey = Static<typeof CreateApiKey>;

const apiKeyMembers = {
  id: ApiKeyId,
  name: Name({ examples: ['Deployment'] }),
  last_four: Type.String({ description: 'The last four characters of the key.', examples: ['x7Qa'] }),
  scopes: Scopes,
  created_at: Timestamp,
  last_used_at: TimestampOrNull,
  expires_at: ExpiresAt,
};

export const ApiKey = Type.Object(apiKeyMembers, { additionalProperties: false, title: 'ApiKey' });
export type ApiKey = Static<typeof ApiKey>;

/** The only answer that carries the key itself. */
export const CreatedApiKey = Type.Object(
  {
    ...apiKeyMembers,
    key: Type.String({
      pattern: '^pk_live_[0-9A-Za-z]{38}$',
      description: 'The key. It is shown this once and stored nowhere.',
      examples: [`pk_live_${'x'.repeat(38)}`],
    }),
  },
  { additionalProperties: false, title: 'CreatedApiKey' },
);
export type CreatedApiKey = Static<typeof CreatedApiKey>;

export const Account = Type.Object(
  {
    id: Type.String({ pattern: idPattern('usr') }),
    email: Type.String({ examples: ['owner@example.com'] }),
    plan: Type.Enum([...PLAN_NAMES], { examples: ['Enterprise'] }),
    role: Type.Enum(['owner', 'admin', 'member', 'viewer']),
    operator: Type.Boolean({ description: 'May use `/v1/admin/...`.' }),
    workspace: Type.Object(
      { id: Type.String({ pattern: idPattern('ws') }), name: Type.String({ examples: ['Example Ltd'] }) },
      { additionalProperties: false },
    ),
    api_key: Type.Union([
      Type.Object(
        {
          id: ApiKeyId,
          name: Type.String({ examples: ['Deployment'] }),
          scopes: Scopes,
          last_used_at: TimestampOrNull,
          expires_at: ExpiresAt,
        },
        { additionalProperties: false },
      ),
      Type.Null({ description: 'Of a session.' }),
    ]),
  },
  { additionalProperties: false, title: 'Account' },
);
export type Account = Static<typeof Account>;

export const ApiKeyParams = Type.Object({ id: ApiKeyId }, { additionalProperties: false });
export const ApiKeyPage = Type.Object(PageParameters, { additionalProperties: false });
