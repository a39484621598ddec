import { type Static, Type } from 'typebox';
import { EmailAddress } from '../http/input/email-address.js';
import { Verbatim } from '../http/input/text.js';

/** No account has a longer password. */
const PASSWORD_CHARS_MAX = 128;
const RECOVERY_CODE_CHARS_MAX = 64;
/** WebAuthn defines six. */
const PASSKEY_FIELDS_MAX = 20;

const closed = { additionalProperties: false };

const Password = Verbatim({ minLength: 1, maxLength: PASSWORD_CHARS_MAX, examples: ['correct horse battery staple'] });

const FACTORS = {
  totp: Type.Optional(
    Type.String({
      pattern: '^[0-9]{6}$',
      description: 'The six digits that the authenticator app shows.',
      examples: ['492039'],
    }),
  ),
  recovery_code: Type.Optional(
    Verbatim({ minLength: 1, maxLength: RECOVERY_CODE_CHARS_MAX, description: 'A recovery code. It works once.' }),
  ),
  passkey: Type.Optional(
    Type.Object(
      {},
      {
        additionalProperties: true,
        maxProperties: PASSKEY_FIELDS_MAX,
        description: 'What `PublicKeyCredential.toJSON()` returns after `navigator.credentials.get()`.',
      },
    ),
  ),
};

export type LogInBody = Static<typeof LogInBody>;
export const LogInBody = Type.Object(
  { email: EmailAddress(), password: Password, ...FACTORS },
  { ...closed, title: 'LogIn', examples: [{ email: 'anna@example.com', password: 'correct horse battery staple' }] },
);

export type ConfirmBody = Static<typeof ConfirmBody>;
export const ConfirmBody = Type.Object(
  { password: Type.Optional(Password), ...FACTORS },
  { ...closed, title: 'Confirm', examples: [{ password: 'correct horse battery staple' }] },
);
