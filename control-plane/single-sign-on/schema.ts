import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Text, Verbatim } from '../http/input/text.js';
import { PageParameters } from '../http/paging.js';
import { ROLES } from '../roles.js';
import { idPattern } from '../storage/ids.js';

const ISSUER_CHARS_MAX = 500;
const CLIENT_ID_CHARS_MAX = 255;
const CLIENT_SECRET_CHARS_MAX = 1_000;
const SCOPES_MAX = 20;
const SCOPE_CHARS_MAX = 100;
const CLAIM_CHARS_MAX = 200;
const ROLE_MAPPINGS_MAX = 100;
const DOMAIN_CHARS_MAX = 253;

export const DEFAULT_SCOPES = ['openid', 'email', 'profile'];

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });
const UserId = Type.String({ pattern: idPattern('usr') });

const Issuer = Type.String({
  minLength: 1,
  maxLength: ISSUER_CHARS_MAX,
  pattern: '^https?://[!-~]+$',
  description:
    'The issuer of the identity provider, exactly as it writes it. Its metadata is at `/.well-known/openid-configuration` below.',
  examples: ['https://id.example.com/realms/staff'],
});
const ClientId = Type.String({
  minLength: 1,
  maxLength: CLIENT_ID_CHARS_MAX,
  pattern: '^[!-~]+$',
  examples: ['picket'],
});
const Scopes = Type.Array(Type.String({ minLength: 1, maxLength: SCOPE_CHARS_MAX, pattern: '^[!#-\\[\\]-~]+$' }), {
  minItems: 1,
  maxItems: SCOPES_MAX,
  uniqueItems: true,
  examples: [DEFAULT_SCOPES],
});
const RoleClaim = nullable(Text({ minLength: 1, maxLength: CLAIM_CHARS_MAX }), {
  description:
    'The claim that decides about the role at each log-in, a text or a list of texts: its name, or its path with dots. null: owners and admins change roles in Picket.',
  examples: ['groups'],
});
const RoleMapping = Type.Record(Type.String({ maxLength: CLAIM_CHARS_MAX }), Type.Enum([...ROLES]), {
  maxProperties: ROLE_MAPPINGS_MAX,
  description: 'The role by value of the claim. Of several, the one with the most rights counts.',
  examples: [{ 'monitoring-admins': 'admin', engineering: 'member' }],
});
const DefaultRole = nullable(Type.Enum(['admin', 'member', 'viewer']), {
  description: 'The role without a mapped value of the claim, and of new members without a claim. null: no access.',
  examples: ['viewer'],
});
const OwnerByClaim = Type.Boolean({
  description: 'Whether the claim may make members owners, and take that role away again, except from the last owner.',
});
const Enforced = Type.Boolean({
  description: 'Whether members can open this workspace only through the identity provider. API keys keep working.',
});
const BreakGlass = nullable(UserId, {
  description: 'The owner with a password who can log in without the identity provider. Required with `enforced`.',
});

export const SaveProvider = Type.Object(
  {
    issuer: Issuer,
    client_id: ClientId,
    client_secret: Type.Optional(
      Verbatim({
        minLength: 1,
        maxLength: CLIENT_SECRET_CHARS_MAX,
        pattern: '^[ -~]+$',
        description: 'Never shown. Required at first, and again with another `issuer` or `client_id`.',
        examples: ['SECRET'],
      }),
    ),
    scopes: Type.Optional(Type.Unsafe<string[]>({ ...Scopes, description: 'Defaults to `openid email profile`.' })),
    role_claim: Type.Optional(RoleClaim),
    role_mapping: Type.Optional(RoleMapping),
    owner_by_claim: Type.Optional(OwnerByClaim),
    default_role: Type.Optional(DefaultRole),
    enforced: Type.Optional(Enforced),
    break_glass_user_id: Type.Optional(BreakGlass),
  },
  {
    ...closed,
    title: 'SaveSingleSignOn',
    examples: [
      {
        issuer: 'https://id.example.com/realms/staff',
        client_id: 'picket',
        client_secret: 'SECRET',
        role_claim: 'groups',
        role_mapping: { 'monitoring-admins': 'admin', engineering: 'member' },
        default_role: 'viewer',
        enforced: false,
      },
    ],
  },
);
export type SaveProvider = Static<typeof SaveProvider>;

export const Provider = Type.Object(
  {
    id: Type.String({ pattern: idPattern('sso') }),
    issuer: Type.String({ examples: ['https://id.example.com/realms/staff'] }),
    client_id: Type.String({ examples: ['picket'] }),
    client_secret_set: Type.Boolean({ description: 'Always true: the secret is stored, and never shown.' }),
    scopes: Type.Array(Type.String(), { examples: [DEFAULT_SCOPES] }),
    role_claim: nullable(Type.String(), { examples: ['groups'] }),
    role_mapping: Type.Record(Type.String(), Type.Enum([...ROLES]), {
      examples: [{ engineering: 'member' }],
    }),
    owner_by_claim: Type.Boolean(),
    default_role: DefaultRole,
    enforced: Type.Boolean(),
    break_glass_user_id: BreakGlass,
    redirect_uri: Type.String({
      description: 'The redirect URI to register at the identity provider.',
      examples: ['https://picket.example.com/v1/auth/sso/callback'],
    }),
    start_url: Type.String({
      examples: ['https://picket.example.com/v1/auth/sso/start?workspace=ws_01jjwzmz000000000000000000'],
      description:
        'Opens the log-in of this workspace. Give it to your people, or to the portal of the identity provider.',
    }),
    created_at: Timestamp,
    updated_at: Timestamp,
  },
  { ...closed, title: 'SingleSignOn' },
);
export type Provider = Static<typeof Provider>;

const DomainText = Type.String({ minLength: 3, maxLength: DOMAIN_CHARS_MAX, examples: ['example.com'] });

export const AddDomain = Type.Object(
  { domain: DomainText },
  { ...closed, title: 'AddSingleSignOnDomain', examples: [{ domain: 'example.com' }] },
);

export const ListDomains = Type.Object(PageParameters, closed);
export const DomainParams = Type.Object({ domain: DomainText }, closed);
export const Unlink = Type.Object(
  { user_id: UserId },
  { ...closed, title: 'UnlinkSingleSignOn', examples: [{ user_id: 'usr_01jjwzmz000000000000000000' }] },
);

export const Domain = Type.Object(
  {
    domain: Type.String({ examples: ['example.com'] }),
    verified: Type.Boolean({ description: 'Whether people with addresses of this domain can log in.' }),
    verified_at: nullable(Timestamp),
    checked_at: nullable(Timestamp, { description: 'When Picket last looked the record up.' }),
    record: Type.Object(
      {
        type: Type.Literal('TXT'),
        name: Type.String({ examples: ['_picket-verification.example.com'] }),
        value: Type.String({ examples: ['picket-verification=TOKEN'] }),
      },
      { ...closed, description: 'The DNS record that proves that the domain is yours. Leave it in place.' },
    ),
    created_at: Timestamp,
  },
  { ...closed, title: 'SingleSignOnDomain' },
);
export type Domain = Static<typeof Domain>;

export const SignInOptions = Type.Object(
  {
    installation: Type.Union(
      [
        Type.Object(
          {
            name: Type.String({ description: 'The text for the button.', examples: ['Example Ltd'] }),
            start_url: Type.String({ examples: ['https://picket.example.com/v1/auth/sso/start'] }),
          },
          closed,
        ),
        Type.Null(),
      ],
      { description: 'The identity provider of the whole installation; null without one.' },
    ),
  },
  { ...closed, title: 'SingleSignOnOptions' },
);
