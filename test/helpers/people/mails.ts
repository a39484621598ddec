import type { Mailbox, ReceivedMail } from '../machine/mailbox.js';
import { waitFor } from '../wait.js';

/** Resolves to the newest mail to the address whose subject matches, once it has arrived. */
export async function mailTo(mailbox: Mailbox, address: string, subject: RegExp): Promise<ReceivedMail> {
  let found: ReceivedMail | undefined;
  await waitFor(`a mail to ${address} about ${subject}`, 10_000, () => {
    found = mailbox.mails.findLast(({ to, headers }) => to.includes(address) && subject.test(headers['subject'] ?? ''));
    return found !== undefined;
  });
  if (found === undefined) throw new Error('no such mail');
  return found;
}

/** Returns the token in the link of a mail. */
export function tokenIn(mail: ReceivedMail): string {
  const token = /#token=([A-Za-z0-9_-]{43})/.exec(mail.parts['text/plain'] ?? '')?.[1];
  if (token === undefined) throw new Error(`no token in ${mail.raw}`);
  return token;
}
