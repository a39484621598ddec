import { userOfActor } from '../accounts/user-of-actor.js';
import type { UsersStore } from '../accounts/users-store.js';
import type { Actor } from '../actor.js';
import { AppError } from '../errors.js';
import { canonicalEmail } from '../http/input/email-address.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
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

/** Counts an e-mail to the new address of an account. Throws `rate_limited` when one of the quotas is used up. */
export type CountAddressChange = (
  tx: Transaction,
  actor: Actor,
  change: { address: string; isConfirmed: boolean },
) => Promise<void>;

export function createChangeEmail(needs: {
  users: UsersStore;
  ownPassword: OwnPassword;
  confirmation: EmailConfirmation;
  limit: AddressLimit;
  countChange: CountAddressChange;
  runTransaction: RunTransaction;
}): ChangeEmail {
  const { users, ownPassword, confirmation, limit, countChange, runTransaction } = needs;
  return {
    async request(actor, input) {
      limit.take(actor.ip);
      const user = await ownPassword.require(actor, '/password', input.password);
      const address = canonicalEmail(input.email);
      if (address === user.email) throw new AppError('conflict', 'This is the address of the account already.');
      const isConfirmed = user.email_confirmed_at_ms !== null;
      await runTransaction(async (tx) => {
        await countChange(tx, actor, { address, isConfirmed });
        refuseLimited(await confirmation.request(tx, user, { address, ip: actor.ip }));
      });
      return address;
    },
    async resend(actor) {
      limit.take(actor.ip);
      const user = await userOfActor(users, actor);
      if (user.email_confirmed_at_ms !== null) throw new AppError('conflict', 'The address is confirmed already.');
      await runTransaction(async (tx) => {
        refuseLimited(await confirmation.request(tx, user, { address: user.email, ip: actor.ip }));
      });
      return user.email;
    },
  };
}

const HOUR_S = 3_600;

/** Throws `rate_limited`, which also keeps the links that were sent before. */
function refuseLimited(sent: 'limited' | undefined): void {
  if (sent === undefined) return;
  const detail =
    'This mailbox got too many of these e-mails within an hour, so nothing was sent now. Try again in an hour.';
  throw new AppError('rate_limited', detail, { headers: { 'Retry-After': String(HOUR_S) } });
}
