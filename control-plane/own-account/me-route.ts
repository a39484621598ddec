import { Type } from 'typebox';
import { toIso } from '../../kernel/clock.js';
import { accountSchema } from '../accounts/schema.js';
import type { UsersStore } from '../accounts/users-store.js';
import { accountOf } from '../accounts/view.js';
import type { Actor, Scope } from '../actor.js';
import { type Route, readRoute } from '../http/route.js';
import type { SecondFactors } from '../second-factor/second-factor.js';

const SENDS_EMAIL = {
  sends_email: Type.Boolean({
    description:
      'Whether this installation has a mail server. Without one, no notification or invitation goes by e-mail.',
    examples: [true],
  }),
};

/** What only a person who is logged in sees of their account. */
const PERSONAL = {
  email_confirmed: Type.Union([Type.Boolean(), Type.Null()], {
    description: 'Whether the person has confirmed the e-mail address; null for an API key.',
    examples: [true],
  }),
  second_factor: Type.Union(
    [
      Type.Object(
        {
          totp: Type.Boolean({ description: 'Whether an authenticator app is set up.' }),
          passkeys: Type.Integer({ examples: [1] }),
          recovery_codes_left: Type.Integer({ examples: [9] }),
        },
        { additionalProperties: false },
      ),
      Type.Null(),
    ],
    { description: 'What the person has set up beside the password; null for an API key.' },
  ),
  deleted_at: Type.Union([Type.String({ format: 'date-time' }), Type.Null()], {
    description:
      'When the account will be deleted. Until then, `POST /v1/auth/me/restore` cancels the deletion. null if no deletion was requested, and for API keys.',
    examples: [null],
  }),
};

interface MeNeeds {
  /** Null without a mail server. */
  smtpUrl: string | null;
  users: Pick<UsersStore, 'find'>;
  secondFactors: Pick<SecondFactors, 'summary'>;
  /** Of all slices. */
  scopes: readonly Scope[];
}

export function createMeRoute(needs: MeNeeds): Route {
  const { properties } = accountSchema(needs.scopes);
  const schema = Type.Object(
    { ...properties, ...SENDS_EMAIL, ...PERSONAL },
    { additionalProperties: false, title: 'OwnAccount' },
  );
  return readRoute({
    method: 'GET',
    path: '/v1/auth/me',
    access: 'any',
    whileStopped: 'always',
    tag: 'Account',
    summary: 'Get the account of the credential',
    replies: { 200: schema },
    errors: ['forbidden'],
    handle: async ({ actor }) => ({
      status: 200,
      data: {
        ...accountOf(actor),
        sends_email: needs.smtpUrl !== null,
        ...(await personal(needs, actor)),
      },
    }),
  });
}

/** Keys are asked for their account often, by every tool that verifies one, so they cost no further read. */
async function personal({ users, secondFactors }: MeNeeds, { kind, userId }: Actor) {
  if (kind !== 'session' || userId === null) return { email_confirmed: null, second_factor: null, deleted_at: null };
  const [user, { totp, passkeys, recoveryCodes }] = await Promise.all([
    users.find(userId),
    secondFactors.summary(userId),
  ]);
  return {
    email_confirmed: user !== null && user.email_confirmed_at_ms !== null,
    second_factor: { totp, passkeys, recovery_codes_left: recoveryCodes },
    deleted_at: user?.deletion == null ? null : toIso(user.deletion.at_ms),
  };
}
