import type { Clock } from '../../kernel/clock.js';
import { accountSchema } from '../accounts/schema.js';
import { accountOf } from '../accounts/view.js';
import type { Scope } from '../actor.js';
import type { Client } from '../http/client/client.js';
import { refuseForeignOrigin } from '../http/client/same-origin.js';
import { actionRoute, type Route } from '../http/route.js';
import { mutedReply } from '../references/ended.js';
import { MutedChannels } from '../references/schema.js';
import type { EmailConfirmation } from './email-confirmation.js';
import type { ForgottenPassword } from './password-reset/forgotten-password.js';
import { ConfirmEmailInput, ForgottenPasswordInput, ResetPasswordInput, SignUpInput } from './schema.js';
import type { SignUp } from './sign-up.js';

/** Longer than the work for an address with an account takes, so that the time does not tell whether it has one. */
const FORGOTTEN_ANSWER_MS = 300;

const TAG = 'Account';

interface PublicRoutesNeeds {
  signUp: SignUp;
  confirmation: EmailConfirmation;
  forgottenPassword: ForgottenPassword;
  /** Of all slices. */
  scopes: readonly Scope[];
  clock: Clock;
  publicUrl: string;
}

/** Returns the routes of people who are not logged in. */
export function createPublicRoutes(needs: PublicRoutesNeeds): Route[] {
  const { signUp, confirmation, scopes, publicUrl } = needs;
  /** These change something, so a page of another site must not be able to make a browser send them. */
  const own = (client: Client) => refuseForeignOrigin('POST', client, publicUrl);
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/auth/signup',
      access: 'public',
      tag: TAG,
      summary: 'Sign up',
      description:
        'Creates an account and a workspace on the Free plan, sends an e-mail to confirm the address, and logs in. Until the address is confirmed, the account cannot create API keys, passkeys, invitations or channels (403 `email_not_confirmed`).\n\nAn address that has an account is refused with 409, and its owner gets an e-mail about it. This is the only endpoint whose answer depends on whether an address has an account. `warnings` beside `data` say that no e-mail was sent, because the mailbox got too many within an hour.',
      body: SignUpInput,
      errors: ['forbidden', 'conflict', 'rate_limited'],
      replies: { 201: accountSchema(scopes) },
      warns: true,
      async handle({ body, client }) {
        own(client);
        const { actor, cookies, warnings } = await signUp(body, client);
        return { status: 201, data: accountOf(actor), warnings, location: '/v1/auth/me', cookies };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/email/confirm',
      access: 'public',
      tag: TAG,
      summary: 'Confirm an e-mail address',
      description:
        'The token is in the link of the e-mail. It works once, for a day. Without the cookie of a session of the account, `password` is required: whoever reads the e-mail may not be who created the account. The first confirmation ends the other sessions of the account; without the cookie also its second factors, passkeys, API keys, sent invitations and unused join tokens. Wrong passwords count like those of log-ins. 200 after a change of the address names the e-mail channels that reach nobody any more, because they have only the previous one.',
      body: ConfirmEmailInput,
      errors: ['conflict', 'forbidden', 'rate_limited'],
      replies: { 200: MutedChannels, 204: null },
      async handle({ body, client }) {
        own(client);
        return mutedReply(await confirmation.confirm(body, client));
      },
    }),
    ...passwordRoutes(needs, own),
  ];
}

function passwordRoutes(
  { forgottenPassword, clock }: Pick<PublicRoutesNeeds, 'forgottenPassword' | 'clock'>,
  refuseForeign: (client: Client) => void,
): Route[] {
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/auth/password/forgot',
      access: 'public',
      tag: TAG,
      summary: 'Ask for a new password',
      description:
        'Sends an e-mail with a link that works once, for at least 30 minutes, if the address has an account: at most one in five minutes, and fewer when nobody uses them. The link of the latest works until the next can be sent. The answer is always the same.',
      body: ForgottenPasswordInput,
      errors: ['forbidden', 'rate_limited'],
      replies: { 202: null },
      async handle({ body, client }) {
        refuseForeign(client);
        const answered = clock.sleep(FORGOTTEN_ANSWER_MS);
        await forgottenPassword.request(body.email, client);
        await answered;
        return { status: 202 };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/password/reset',
      access: 'public',
      tag: TAG,
      summary: 'Set a new password with the link of an e-mail',
      description:
        'Ends all sessions of the person, and signs nobody in. A second factor stays. If nobody had confirmed the address before, second factors, passkeys, API keys, sent invitations and unused join tokens of the account end too, because somebody else may have set them up, and the next log-in opens no workspace with other members.',
      body: ResetPasswordInput,
      errors: ['forbidden', 'rate_limited'],
      replies: { 204: null },
      async handle({ body, client }) {
        refuseForeign(client);
        await forgottenPassword.reset(body, client);
        return { status: 204 };
      },
    }),
  ];
}
