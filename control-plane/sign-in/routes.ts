import type { TSchema } from 'typebox';
import type { Actor } from '../actor.js';
import { refuseForeignOrigin } from '../http/client/same-origin.js';
import { actionRoute, mutationRoute, type Route } from '../http/route.js';
import type { SessionCookies } from '../sessions/cookie.js';
import type { Confirm } from './confirm.js';
import type { LogIn } from './log-in.js';
import type { LogOut } from './log-out.js';
import { ConfirmBody, LogInBody } from './schema.js';

const TAG = 'Sessions';

export function createSignInRoutes(needs: {
  logIn: LogIn;
  logOut: LogOut;
  confirm: Confirm;
  cookies: SessionCookies;
  publicUrl: string;
  /** How an account is shown, and its schema. */
  account: { schema: TSchema; of(actor: Actor): unknown };
}): Route[] {
  const { logIn, logOut, confirm, cookies, publicUrl, account } = needs;
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/auth/login',
      access: 'public',
      tag: TAG,
      summary: 'Log in with a password',
      description:
        'Sets the cookie of a new session, and ends the session whose cookie came with the request. People with a second factor send one of `totp`, `recovery_code` and `passkey`; without it the answer is 401 `second_factor_required` with `second_factors`. Ten failures within 15 minutes lock the account for the network of the client for 15 minutes, also for the right password (429).',
      body: LogInBody,
      replies: { 200: account.schema },
      errors: ['unauthenticated', 'second_factor_required', 'forbidden'],
      async handle({ body, client }) {
        refuseForeignOrigin('POST', client, publicUrl);
        const signedIn = await logIn(body, client);
        return { status: 200, data: account.of(signedIn.actor), cookies: signedIn.cookies };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/logout',
      access: 'session',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Log out',
      description: 'Ends the session and removes its cookie.',
      replies: { 204: null },
      async handle({ actor }, tx) {
        await logOut(tx, actor);
        return { status: 204, cookies: [cookies.remove()] };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/confirm',
      access: 'session',
      tag: TAG,
      summary: 'Confirm that it is you',
      description:
        'With the password or a second factor. For ten minutes the session may then do what needs a fresh confirmation. A person who has neither logs in again instead. Failures count like those of log-ins.',
      body: ConfirmBody,
      replies: { 204: null },
      errors: ['not_found'],
      async handle({ actor, body, client }) {
        await confirm(actor, body, client);
        return { status: 204 };
      },
    }),
  ];
}
