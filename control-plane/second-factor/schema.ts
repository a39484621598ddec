import { type Static, Type } from 'typebox';
import { nullable } from '../http/input/nullable.js';
import { Verbatim } from '../http/input/text.js';
import { AssertionCredential } from './passkeys/schema.js';
import { RECOVERY_CODE_CHARS_MAX, RECOVERY_CODE_EXAMPLES, RECOVERY_CODES } from './recovery-codes/code.js';
import { TOTP_PATTERN } from './totp/code.js';

const closed = { additionalProperties: false };
const Timestamp = Type.String({ format: 'date-time', examples: ['2026-01-31T12:00:00.000Z'] });

const TotpCode = Type.String({
  pattern: TOTP_PATTERN,
  description: 'The six digits that the authenticator app shows.',
  examples: ['492039'],
});
const RecoveryCode = Verbatim({
  minLength: 1,
  maxLength: RECOVERY_CODE_CHARS_MAX,
  description: 'A recovery code. It works once.',
  examples: ['4gh0-tx7m-9k2p'],
});

/** The fields of a body that contains a second factor. At most one of them may be there. */
const SECOND_FACTOR_FIELDS = {
  totp: Type.Optional(TotpCode),
  recovery_code: Type.Optional(RecoveryCode),
  passkey: Type.Optional(AssertionCredential),
};

export type SecondFactorProof = Static<typeof SecondFactorProof>;
export const SecondFactorProof = Type.Object(SECOND_FACTOR_FIELDS, { ...closed, title: 'SecondFactorProof' });

export const TotpCodeBody = Type.Object({ totp: TotpCode }, { ...closed, title: 'TotpCode' });

export type SecondFactorOverview = Static<typeof SecondFactorOverview>;
export const SecondFactorOverview = Type.Object(
  {
    totp: nullable(Type.Object({ enabled_at: Timestamp }, closed), {
      description: 'null without an authenticator app.',
    }),
    passkeys: Type.Integer({ description: 'How many passkeys the person has.', examples: [2] }),
    recovery_codes_left: Type.Integer({ examples: [9] }),
    required_by: Type.Array(Type.String({ examples: ['Example Ltd'] }), {
      description: 'The names of the workspaces of the person that require a second factor.',
      examples: [['Example Ltd']],
    }),
  },
  { ...closed, title: 'SecondFactorOverview' },
);

export const TotpEnrolment = Type.Object(
  {
    secret: Type.String({
      pattern: '^[A-Z2-7]+$',
      description: 'For typing into an app that cannot scan.',
      examples: ['JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP'],
    }),
    otpauth_url: Type.String({
      examples: ['otpauth://totp/Picket:owner%40example.com?issuer=Picket&secret=JBSWY3DPEHPK3PXP'],
    }),
    qr_svg: Type.String({
      description: 'The URL as a QR code, an SVG document.',
      examples: ['<svg xmlns="http://www.w3.org/2000/svg"></svg>'],
    }),
    expires_at: Timestamp,
  },
  { ...closed, title: 'TotpEnrolment' },
);

const RecoveryCodeList = Type.Array(Type.String({ examples: ['4gh0-tx7m-9k2p'] }), {
  minItems: RECOVERY_CODES,
  maxItems: RECOVERY_CODES,
  examples: [[...RECOVERY_CODE_EXAMPLES]],
  description:
    'Each works once instead of another second factor. Only this response contains them; Picket stores hashes.',
});

export const RecoveryCodes = Type.Object({ recovery_codes: RecoveryCodeList }, { ...closed, title: 'RecoveryCodes' });
