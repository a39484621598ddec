import { type Static, Type } from 'typebox';
import { nullable } from '../../http/input/nullable.js';
import { Name } from '../../http/input/text.js';
import { idPattern } from '../../storage/ids.js';
import { RECOVERY_CODE_EXAMPLES, RECOVERY_CODES } from '../recovery-codes/code.js';

/** Base64url characters of the largest part that browsers send with `attestation: none`; a usual one has 400. */
const ATTESTATION_CHARS_MAX = 8_192;
const PART_CHARS_MAX = 4_096;
/** 1,023 bytes, the maximum of WebAuthn. */
const CREDENTIAL_ID_CHARS_MAX = 1_364;
const USER_HANDLE_CHARS_MAX = 88;
const TRANSPORTS_MAX = 10;
const TRANSPORT_CHARS_MAX = 20;
const EXTENSIONS_MAX = 20;
const closed = { additionalProperties: false };

const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const base64url = (maxLength: number, options: { description?: string; examples?: string[] } = {}) =>
  Type.String({ pattern: '^[A-Za-z0-9_-]*$', maxLength, ...options });

const CredentialId = base64url(CREDENTIAL_ID_CHARS_MAX, { examples: ['3q2-7wABAgMEBQYHCAkKCw'] });

/** What browsers add and Picket ignores. It is bounded by the size of the body. */
const IGNORED = {
  clientExtensionResults: Type.Optional(
    Type.Object(
      {},
      { additionalProperties: true, maxProperties: EXTENSIONS_MAX, description: 'Ignored.', examples: [{}] },
    ),
  ),
  authenticatorAttachment: Type.Optional(
    nullable(Type.String({ maxLength: TRANSPORT_CHARS_MAX }), { description: 'Ignored.', examples: ['platform'] }),
  ),
};

const ENVELOPE = {
  id: CredentialId,
  rawId: CredentialId,
  type: Type.Enum(['public-key'], { examples: ['public-key'] }),
  ...IGNORED,
};

/** The answer of `navigator.credentials.create()`, as `toJSON()` returns it. */
export type RegistrationCredential = Static<typeof RegistrationCredential>;
export const RegistrationCredential = Type.Object(
  {
    ...ENVELOPE,
    response: Type.Object(
      {
        clientDataJSON: base64url(PART_CHARS_MAX, { examples: ['eyJ0eXBlIjoid2ViYXV0aG4uY3JlYXRlIn0'] }),
        attestationObject: base64url(ATTESTATION_CHARS_MAX, { examples: ['o2NmbXRkbm9uZQ'] }),
        transports: Type.Optional(
          Type.Array(Type.String({ pattern: '^[a-z-]+$', maxLength: TRANSPORT_CHARS_MAX }), {
            maxItems: TRANSPORTS_MAX,
            examples: [['internal']],
          }),
        ),
        authenticatorData: Type.Optional(base64url(PART_CHARS_MAX, { description: 'Ignored.', examples: [''] })),
        publicKey: Type.Optional(nullable(base64url(PART_CHARS_MAX), { description: 'Ignored.', examples: [null] })),
        publicKeyAlgorithm: Type.Optional(Type.Integer({ description: 'Ignored.', examples: [-7] })),
      },
      closed,
    ),
  },
  {
    ...closed,
    title: 'RegistrationCredential',
    description:
      'What `navigator.credentials.create()` returned, as `toJSON()` writes it (WebAuthn, RegistrationResponseJSON).',
  },
);

/** The answer of `navigator.credentials.get()`, as `toJSON()` returns it. */
export type AssertionCredential = Static<typeof AssertionCredential>;
export const AssertionCredential = Type.Object(
  {
    ...ENVELOPE,
    response: Type.Object(
      {
        clientDataJSON: base64url(PART_CHARS_MAX, { examples: ['eyJ0eXBlIjoid2ViYXV0aG4uZ2V0In0'] }),
        authenticatorData: base64url(PART_CHARS_MAX, { examples: ['SZYN5YgOjGh0NBcPZHZgW4_krrmihjLHmVzzuoMdl2MF'] }),
        signature: base64url(PART_CHARS_MAX, { examples: ['MEUCIQDq'] }),
        userHandle: Type.Optional(nullable(base64url(USER_HANDLE_CHARS_MAX), { examples: [null] })),
      },
      closed,
    ),
  },
  {
    ...closed,
    title: 'AssertionCredential',
    description:
      'What `navigator.credentials.get()` returned for the options of POST /v1/auth/passkeys/challenge, as `toJSON()` writes it (WebAuthn, AuthenticationResponseJSON).',
  },
);

export const PasskeyParams = Type.Object(
  { id: Type.String({ pattern: idPattern('pky'), examples: ['pky_01jjwzmz000000000000000000'] }) },
  closed,
);

const PASSKEY = {
  id: Type.String({ pattern: idPattern('pky'), examples: ['pky_01jjwzmz000000000000000000'] }),
  name: Name({ examples: ['Laptop'] }),
  backed_up: Type.Boolean({
    description: 'Whether the provider of the authenticator keeps a copy, so that the passkey outlives the device.',
    examples: [true],
  }),
  created_at: Timestamp,
  last_used_at: nullable(Timestamp),
};

export type Passkey = Static<typeof Passkey>;
export const Passkey = Type.Object(PASSKEY, { ...closed, title: 'Passkey' });

export const RegisteredPasskey = Type.Object(
  {
    ...PASSKEY,
    recovery_codes: nullable(
      Type.Array(Type.String({ examples: ['4gh0-tx7m-9k2p'] }), { minItems: RECOVERY_CODES, maxItems: RECOVERY_CODES }),
      {
        description:
          'Ten recovery codes with the first second factor of the person, otherwise null. Only this response contains them.',
        examples: [[...RECOVERY_CODE_EXAMPLES]],
      },
    ),
  },
  { ...closed, title: 'RegisteredPasskey' },
);

export const RenamePasskey = Type.Object(
  { name: Name({ examples: ['Laptop'] }) },
  { ...closed, title: 'RenamePasskey' },
);

export const RegisterPasskey = Type.Object(
  { name: Name({ examples: ['Laptop'] }), credential: RegistrationCredential },
  { ...closed, title: 'RegisterPasskey' },
);

export const PasskeyLogin = Type.Object({ credential: AssertionCredential }, { ...closed, title: 'PasskeyLogin' });

export const ChallengeRequest = Type.Object(
  {
    for: Type.Optional(
      Type.Enum(['login', 'second_factor'], {
        default: 'login',
        description:
          '`login`: instead of the password, so the authenticator must check a PIN, a fingerprint or the like. `second_factor`: with a password, or for a confirmation.',
        examples: ['login'],
      }),
    ),
  },
  { ...closed, title: 'PasskeyChallengeRequest' },
);

const Challenge = Type.String({ description: 'Valid for five minutes, works once.', examples: ['AAECAwQF'] });
const UserVerification = Type.Enum(['required', 'preferred'], { examples: ['preferred'] });
const TimeoutMs = Type.Integer({ description: 'Milliseconds.', examples: [300_000] });
const RpId = Type.String({ description: 'The host name of `PICKET_PUBLIC_URL`.', examples: ['picket.example.com'] });

export type RegistrationOptions = Static<typeof RegistrationOptions>;
export const RegistrationOptions = Type.Object(
  {
    rp: Type.Object({ id: RpId, name: Type.String({ examples: ['Picket'] }) }, closed),
    user: Type.Object(
      {
        id: Type.String({ description: 'The id of the user in base64url.', examples: ['dXNyXzAx'] }),
        name: Type.String({ examples: ['owner@example.com'] }),
        displayName: Type.String({ examples: ['owner@example.com'] }),
      },
      closed,
    ),
    challenge: Challenge,
    pubKeyCredParams: Type.Array(
      Type.Object({ type: Type.Literal('public-key'), alg: Type.Integer({ examples: [-7] }) }, closed),
    ),
    timeout: TimeoutMs,
    attestation: Type.Literal('none'),
    excludeCredentials: Type.Array(
      Type.Object(
        {
          id: CredentialId,
          type: Type.Literal('public-key'),
          transports: Type.Array(Type.String({ examples: ['internal'] })),
        },
        closed,
      ),
    ),
    authenticatorSelection: Type.Object(
      {
        residentKey: Type.Literal('required'),
        requireResidentKey: Type.Literal(true),
        userVerification: UserVerification,
      },
      closed,
    ),
  },
  {
    ...closed,
    title: 'PasskeyRegistrationOptions',
    description: 'For `PublicKeyCredential.parseCreationOptionsFromJSON()`.',
  },
);

export type SignInOptions = Static<typeof SignInOptions>;
export const SignInOptions = Type.Object(
  { challenge: Challenge, rpId: RpId, timeout: TimeoutMs, userVerification: UserVerification },
  {
    ...closed,
    title: 'PasskeySignInOptions',
    description: 'For `PublicKeyCredential.parseRequestOptionsFromJSON()`.',
  },
);
