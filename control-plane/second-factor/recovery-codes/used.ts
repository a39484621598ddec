import type { Clock } from '../../../kernel/clock.js';
import type { UserDocument } from '../../accounts/documents.js';
import type { Mailer } from '../../mail/mailer.js';
import type { Transaction } from '../../storage/transaction.js';
import { noticeMail } from '../notice.js';

/** Returns the function that notifies a person of the use of a recovery code, which is rare and often not their own. */
export function createRecoveryCodeNotice({ mailer, clock }: { mailer: Mailer; clock: Clock }) {
  return (tx: Transaction, { email }: UserDocument, left: number): Promise<void> =>
    mailer.send(tx, noticeMail({ what: 'recovery_code_used', left }, { email, device: null, atMs: clock.now() }));
}
