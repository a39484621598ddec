import type { accountSchema } from '../../accounts/schema.js';
import { accountOf } from '../../accounts/view.js';
import { refuseForeignOrigin } from '../../http/client/same-origin.js';
import { actionRoute, type Route, readRoute } from '../../http/route.js';
import { SECOND_FACTOR_TAG } from '../routes.js';
import type { Challenges } from './challenge.js';
import type { PasskeyLogIn } from './log-in.js';
import { signInOptions } from './options.js';
import { type RelyingParty, requireRelyingParty } from './relying-party.js';
import { ChallengeRequest, PasskeyLogin, SignInOptions } from './schema.js';

/** Returns the routes that need no session. */
export function createPasskeyLogInRoutes(needs: {
  challenges: Challenges;
  party: RelyingParty | null;
  logIn: PasskeyLogIn;
  publicUrl: string;
  Account: ReturnType<typeof accountSchema>;
}): Route[] {
  const { challenges, party, logIn, publicUrl, Account } = needs;
  return [
    readRoute({
      method: 'POST',
      path: '/v1/auth/passkeys/challenge',
      access: 'public',
      tag: SECOND_FACTOR_TAG,
      summary: 'Start logging in with a passkey',
      description:
        'Returns the options for `navigator.credentials.get()`. They work once, within five minutes. The answer goes to `POST /v1/auth/passkeys/login`, or as `passkey` to `POST /v1/auth/login`, `POST /v1/auth/confirm` or `POST /v1/auth/mfa/totp/disable`.',
      body: ChallengeRequest,
      bodyOptional: true,
      replies: { 200: SignInOptions },
      errors: ['conflict', 'forbidden'],
      async handle({ body, client }) {
        refuseForeignOrigin('POST', client, publicUrl);
        const own = requireRelyingParty(party);
        const verification = body.for === 'second_factor' ? 'preferred' : 'required';
        return { status: 200, data: signInOptions(own, challenges.make('sign-in'), verification) };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/passkeys/login',
      access: 'public',
      tag: SECOND_FACTOR_TAG,
      summary: 'Log in with a passkey',
      description:
        'Instead of the password. The authenticator must have checked a PIN, a fingerprint or the like, so this counts as two factors. Sets the cookie of a new session.',
      body: PasskeyLogin,
      replies: { 200: Account },
      errors: ['unauthenticated', 'forbidden'],
      async handle({ body, client }) {
        refuseForeignOrigin('POST', client, publicUrl);
        const { actor, cookies } = await logIn(client, body.credential);
        return { status: 200, data: accountOf(actor), cookies };
      },
    }),
  ];
}
