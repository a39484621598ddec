import { toIso } from '../../kernel/clock.js';
import { actionRoute, mutationRoute, type Route } from '../http/route.js';
import type { ChangeEmail } from './change-email.js';
import type { ChangePassword } from './change-password.js';
import type { AccountDeletion } from './delete-account.js';
import { ChangeEmailInput, ChangePasswordInput, DeletionPlanned, MailSent } from './schema.js';

const TAG = 'Account';

/** Returns the routes of a person who is logged in, about their own account. */
export function createOwnRoutes(needs: {
  changeEmail: ChangeEmail;
  changePassword: ChangePassword;
  deletion: AccountDeletion;
}): Route[] {
  const { changeEmail, changePassword, deletion } = needs;
  return [
    actionRoute({
      method: 'POST',
      path: '/v1/auth/email',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Change the e-mail address',
      description:
        'Sends an e-mail to the new address. It becomes the address of the account once its link was opened. Such e-mails are limited per day, to an address and of a person (429), more so while the present address is not confirmed.',
      body: ChangeEmailInput,
      errors: ['conflict', 'rate_limited'],
      replies: { 202: MailSent },
      async handle({ actor, body }) {
        return { status: 202, data: { email: await changeEmail.request(actor, body) } };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/email/confirm/resend',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Send the e-mail that confirms the address again',
      errors: ['conflict', 'rate_limited'],
      replies: { 202: MailSent },
      async handle({ actor }) {
        return { status: 202, data: { email: await changeEmail.resend(actor) } };
      },
    }),
    actionRoute({
      method: 'POST',
      path: '/v1/auth/password',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Change the password',
      description: 'Ends all other sessions of the person.',
      body: ChangePasswordInput,
      errors: ['conflict', 'rate_limited'],
      replies: { 204: null },
      async handle({ actor, body }) {
        await changePassword(actor, body);
        return { status: 204 };
      },
    }),
    ...deletionRoutes(deletion),
  ];
}

function deletionRoutes(deletion: AccountDeletion): Route[] {
  return [
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/me/delete',
      access: 'person',
      whileStopped: 'always',
      fresh: true,
      refusedAs: 'auth.change_refused',
      tag: TAG,
      summary: 'Delete the account',
      description:
        'The account is deleted after seven days. Until then, `POST /v1/auth/me/restore` cancels the deletion. Other sessions end at once. Refused while a workspace would be left without an owner.',
      errors: ['conflict'],
      replies: { 202: DeletionPlanned },
      async handle({ actor }, tx) {
        return { status: 202, data: { deleted_at: toIso(await deletion.request(tx, actor)) } };
      },
    }),
    mutationRoute({
      method: 'POST',
      path: '/v1/auth/me/restore',
      access: 'person',
      whileStopped: 'always',
      tag: TAG,
      summary: 'Take back the deletion of the account',
      errors: ['conflict'],
      replies: { 204: null },
      async handle({ actor }, tx) {
        await deletion.takeBack(tx, actor);
        return { status: 204 };
      },
    }),
  ];
}
