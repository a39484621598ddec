import type { Clock } from '../../../kernel/clock.js';
import type { UserDocument } from '../../accounts/documents.js';
import { recoveryCodeUsedMail } from '../../mail/contents/recovery-code-used.js';
import { mailLink } from '../../mail/link.js';
import type { Mailer } from '../../mail/mailer.js';
import { originOf } from '../../sessions/devices/origin.js';
import type { ProofOrigin } from '../../sessions/second-factor-check.js';
import type { Transaction } from '../../storage/transaction.js';
import { SECOND_FACTOR_PAGE } from '../changes.js';

/** Notifies a person of the use of a recovery code, which is rare and often not their own. `left`: the codes that are left. */
export type RecoveryCodeNotice = (
  tx: Transaction,
  used: { user: UserDocument; from: ProofOrigin; left: number },
) => Promise<void>;

export function createRecoveryCodeNotice(needs: {
  mailer: Mailer;
  publicUrl: string;
  clock: Clock;
}): RecoveryCodeNotice {
  const { mailer, publicUrl, clock } = needs;
  const link = mailLink(publicUrl, SECOND_FACTOR_PAGE);
  return async (tx, { user, from, left }) => {
    const origin = originOf(from, clock.now());
    await mailer.send(tx, recoveryCodeUsedMail({ to: user.email, left, origin, link }));
  };
}
