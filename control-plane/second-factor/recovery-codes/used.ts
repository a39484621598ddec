import type { Clock } from '../../../kernel/clock.js';
import type { UserDocument } from '../../accounts/documents.js';
import { recoveryCodeUsedMail } from '../../mail/contents/recovery-code-used.js';
import { mailLink } from '../../mail/link.js';
import type { Mailer } from '../../mail/mailer.js';
import type { Transaction } from '../../storage/transaction.js';
import { SECOND_FACTOR_PAGE } from '../changes.js';

/** Returns the function that notifies a person of the use of a recovery code, which is rare and often not their own. */
export function createRecoveryCodeNotice(needs: { mailer: Mailer; publicUrl: string; clock: Clock }) {
  const { mailer, publicUrl, clock } = needs;
  const link = mailLink(publicUrl, SECOND_FACTOR_PAGE);
  return (tx: Transaction, { email }: UserDocument, left: number): Promise<void> =>
    mailer.send(tx, recoveryCodeUsedMail({ to: email, left, atMs: clock.now(), link }));
}
