import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { RunTransaction } from '../storage/transaction.js';
import type { AddressLimit } from './address-limit.js';
import type { EmailConfirmation } from './email-confirmation.js';
import type { OwnPassword } from './own-password.js';

/** Sends the e-mails that confirm an address of the person who is logged in. Each resolves to that address. */
export interface ChangeEmail {
  /** To the address that the person wants to change to. Whether it has an account shows only when its link is opened. */
  request(actor: Actor, input: { email: string; password: string }): Promise<string>;
  /** To the person's own address. Throws 409 when it is confirmed. */
  resend(actor: Actor): Promise<string>;
}

export function createChangeEmail(needs: {
  users: UsersStore;
  ownPassword: OwnPassword;
  confirmation: EmailConfirmation;
  limit: AddressLimit;
  runTransaction: RunTransaction;
}): ChangeEmail {
  const { users, ownPassword, confirmation, limit, runTransaction } = needs;
  return {
    async request(actor, input) {
      limit.take(actor.ip);
      const user = await ownPassword.require(actor, '/password', input.password);
      const address = canonicalEmail(input.email);
      if (address === user.email) throw new AppError('conflict', 'This is the address of the account already.');
      await runTransaction((tx) => confirmation.request(tx, user, address));
      return address;
    },
    async resend(actor) {
      limit.take(actor.ip);
      const user = await userOfActor(users, actor);
      if (user.email_confirmed_at_ms !== null) throw new AppError('conflict', 'The address is confirmed already.');
      await runTransaction((tx) => confirmation.request(tx, user, user.email));
      return user.email;
    },
  };
}
