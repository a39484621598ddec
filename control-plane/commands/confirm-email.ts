import { createLogger } from '../../kernel/logger.js';
import type { Config } from '../config.js';
import { openFoundation } from '../foundation.js';
import { canonicalEmail } from '../http/input/email-address.js';
import { mailLink } from '../mail/link.js';
import { CONFIRM_TOKEN_MS } from '../own-account/email-confirmation.js';
import { CONFIRM_EMAIL } from '../own-account/token-purposes.js';
import { ArgumentError } from './argument-error.js';

/**
 * Resolves to a link with which the person can confirm the address of their account, for installations without a mail server.
 * Earlier links end. Throws ArgumentError when nobody has the address, and when it is confirmed.
 */
export async function makeConfirmationLink(config: Config, email: string): Promise<string> {
  const foundation = await openFoundation(config, createLogger({ name: 'picket', level: 'warn' }));
  const { mongo, users, oneTimeTokens: tokens, authority, runTransaction } = foundation;
  try {
    const user = await users.findByEmail(canonicalEmail(email));
    if (user === null) throw new ArgumentError(`nobody has the address ${JSON.stringify(email)}`);
    if (user.email_confirmed_at_ms !== null)
      throw new ArgumentError(`the address ${JSON.stringify(email)} is confirmed already`);
    const token = await runTransaction(async (tx) => {
      await tokens.revoke(tx, CONFIRM_EMAIL, user._id);
      const data = { address: user.email };
      return tokens.issue(tx, { purpose: CONFIRM_EMAIL, userId: user._id, data, ttlMs: CONFIRM_TOKEN_MS });
    });
    return mailLink(config.publicUrl, '/confirm-email', token);
  } finally {
    authority.close();
    await mongo.close();
  }
}
