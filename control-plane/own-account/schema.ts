import { type Static, Type } from 'typebox';
import { EmailAddress } from '../http/input/email-address.js';
import { Name, Verbatim } from '../http/input/text.js';

const closed = { additionalProperties: false };

/** A password that is typed to prove who one is: any length that a password ever had. */
const GIVEN_PASSWORD_CHARS_MAX = 1_024;
/** 32 bytes in base64url. */
const TOKEN_PATTERN = '^[A-Za-z0-9_-]{43}$';

const EXAMPLE_PASSWORD = 'gravel onion tuesday lamp';

/** Not `minLength: 12`: the check of new passwords says more about one that is too short. */
const NewPassword = Verbatim({
  maxLength: GIVEN_PASSWORD_CHARS_MAX,
  description: '12 to 128 characters; not among the common passwords, or close to one.',
  examples: [EXAMPLE_PASSWORD],
});
const GivenPassword = Verbatim({
  minLength: 1,
  maxLength: GIVEN_PASSWORD_CHARS_MAX,
  description: 'The current password.',
  examples: [EXAMPLE_PASSWORD],
});
const Token = Type.String({
  pattern: TOKEN_PATTERN,
  description: 'The token in the link of the e-mail.',
  examples: ['Zm9vYmFyYmF6cXV4Zm9vYmFyYmF6cXV4Zm9vYmFyYmE'],
});

export const SignUpInput = Type.Object(
  { email: EmailAddress(), password: NewPassword, workspace_name: Name({ examples: ['Example Ltd'] }) },
  { ...closed, title: 'SignUp' },
);
export type SignUpInput = Static<typeof SignUpInput>;

export const ConfirmEmailInput = Type.Object(
  { token: Token, password: Type.Optional(GivenPassword) },
  { ...closed, title: 'ConfirmEmail' },
);
export const ChangeEmailInput = Type.Object(
  { email: EmailAddress('anna@example.org'), password: GivenPassword },
  { ...closed, title: 'ChangeEmail' },
);
export const ChangePasswordInput = Type.Object(
  { current_password: GivenPassword, password: NewPassword },
  { ...closed, title: 'ChangePassword' },
);
export const ForgottenPasswordInput = Type.Object({ email: EmailAddress() }, { ...closed, title: 'ForgottenPassword' });
export const ResetPasswordInput = Type.Object(
  { token: Token, password: NewPassword },
  { ...closed, title: 'ResetPassword' },
);
/** The answer to a request that goes on with an e-mail. */
export const MailSent = Type.Object(
  { email: EmailAddress() },
  { ...closed, title: 'MailSent', description: 'The address that the e-mail goes to.' },
);

export const DeletionPlanned = Type.Object(
  { deleted_at: Type.String({ format: 'date-time', examples: ['2026-02-07T12:00:00.000Z'] }) },
  { ...closed, title: 'AccountDeletion' },
);
