import type { UserDocument } from '../../accounts/documents.js';
import { codeRepeatedMail } from '../../mail/contents/code-repeated.js';
import { mailLink } from '../../mail/link.js';
import type { Mailer } from '../../mail/mailer.js';
import { originOf } from '../../sessions/devices/origin.js';
import type { ProofOrigin } from '../../sessions/second-factor-check.js';
import type { RunTransaction } from '../../storage/transaction.js';
import { SECOND_FACTOR_PAGE } from '../changes.js';
import type { SecondFactorsStore } from '../store.js';

/** Between two mails to one person. A stolen code can be sent many times. */
const MAIL_PAUSE_MS = 3_600_000;

/** Notifies a person that a code of their app was reused. */
export type CodeRepeated = (user: UserDocument, from: ProofOrigin, atMs: number) => Promise<void>;

/** Has a transaction of its own, because that of a request whose code was refused may be rolled back. */
export function createCodeRepeated(needs: {
  factors: Pick<SecondFactorsStore, 'noteRepeat'>;
  mailer: Mailer;
  publicUrl: string;
  runTransaction: RunTransaction;
}): CodeRepeated {
  const { factors, mailer, publicUrl, runTransaction } = needs;
  const link = mailLink(publicUrl, SECOND_FACTOR_PAGE);
  return ({ _id, email }, from, atMs) =>
    runTransaction(async (tx) => {
      if (!(await factors.noteRepeat(tx, _id, { atMs, notSinceMs: atMs - MAIL_PAUSE_MS }))) return;
      const origin = originOf(from, atMs);
      await mailer.send(tx, codeRepeatedMail({ to: email, origin, link }));
    });
}
