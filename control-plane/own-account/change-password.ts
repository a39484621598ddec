import type { Clock } from '../../kernel/clock.js';
import type { OneTimeTokens } from '../accounts/one-time-tokens/one-time-tokens.js';
import type { Passwords } from '../accounts/passwords/password.js';
import type { PasswordProblem } from '../accounts/passwords/password-strength.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import { invalidField } from '../errors.js';
import { passwordChangedMail } from '../mail/contents/password-changed.js';
import { mailLink } from '../mail/link.js';
import type { Mailer } from '../mail/mailer.js';
import { originOf } from '../sessions/devices/origin.js';
import type { Sessions } from '../sessions/sessions.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { OwnPassword } from './own-password.js';
import { refuseWeakPassword } from './refuse-weak-password.js';
import { CONFIRM_EMAIL, RESET_PASSWORD } from './token-purposes.js';

/** Sets another password. All other sessions of the person end. Throws 403 for a wrong current password, 422, 429. */
export type ChangePassword = (actor: Actor, input: { current_password: string; password: string }) => Promise<void>;

export function createChangePassword(needs: {
  users: UsersStore;
  tokens: OneTimeTokens;
  passwords: Passwords;
  passwordProblem: PasswordProblem;
  ownPassword: OwnPassword;
  sessions: Sessions;
  mailer: Mailer;
  audit: AuditLog;
  clock: Clock;
  runTransaction: RunTransaction;
  publicUrl: string;
}): ChangePassword {
  const { users, tokens, passwords, passwordProblem, ownPassword, sessions, mailer, audit, clock, publicUrl } = needs;
  return async (actor, input) => {
    const user = await ownPassword.require(actor, '/current_password', input.current_password);
    if (input.password === input.current_password) {
      throw invalidField('/password', 'must differ from the current password', 'same_password');
    }
    await refuseWeakPassword(passwordProblem, '/password', input.password, [user.email, actor.workspaceName]);
    const hash = await passwords.hash(input.password);
    await needs.runTransaction(async (tx) => {
      await users.setPassword(tx, user._id, hash);
      await sessions.endAll(tx, user._id, actor.session === null ? {} : { except: actor.session.id });
      // Links that somebody asked for who knew the previous password, or read the mail of the person.
      await tokens.revoke(tx, RESET_PASSWORD, user._id);
      if (user.email_confirmed_at_ms !== null) await tokens.revoke(tx, CONFIRM_EMAIL, user._id);
      const link = mailLink(publicUrl, '/forgot-password');
      await mailer.send(tx, passwordChangedMail({ to: user.email, link, origin: originOf(actor, clock.now()) }));
      await audit.record(tx, actor, {
        action: 'auth.password_changed',
        resource: { type: 'user', id: user._id, name: user.email },
      });
    });
  };
}
