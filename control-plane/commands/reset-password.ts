import { createLogger } from '../../kernel/logger.js';
import type { Config } from '../config.js';
import { openFoundation } from '../foundation.js';
import { canonicalEmail } from '../http/input/email-address.js';
import { mailLink } from '../mail/link.js';
import { LINK_MS_MIN } from '../own-account/password-reset/reset-pause.js';
import { RESET_PASSWORD } from '../own-account/token-purposes.js';
import { ArgumentError } from './argument-error.js';

/**
 * Resolves to a link with which the person can set a new password, for installations without a mail server. Throws
 * ArgumentError when nobody has the address.
 */
export async function makeResetLink(config: Config, email: string): Promise<string> {
  const foundation = await openFoundation(config, createLogger({ name: 'picket', level: 'warn' }));
  const { mongo, users, oneTimeTokens: tokens, authority, runTransaction } = foundation;
  try {
    const user = await users.findByEmail(canonicalEmail(email));
    if (user === null) throw new ArgumentError(`nobody has the address ${JSON.stringify(email)}`);
    const token = await runTransaction(async (tx) => {
      await tokens.revoke(tx, RESET_PASSWORD, user._id);
      return tokens.issue(tx, { purpose: RESET_PASSWORD, userId: user._id, ttlMs: LINK_MS_MIN });
    });
    return mailLink(config.publicUrl, '/reset-password', token);
  } finally {
    authority.close();
    await mongo.close();
  }
}
