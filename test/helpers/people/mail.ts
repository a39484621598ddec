import type { Mailbox, ReceivedMail } from '../machine/mailbox.js';
import { waitFor } from '../wait.js';

const ARRIVES_MS_MAX = 60_000;

/** Resolves to the newest mail to an address whose subject matches, once it has arrived. */
export function mailTo(mailbox: Mailbox, address: string, subject: RegExp): Promise<ReceivedMail> {
  return waitFor(`a mail to ${address} with the subject ${subject}`, ARRIVES_MS_MAX, () =>
    mailbox.mails.findLast(({ to, headers }) => to.includes(address) && subject.test(headers['subject'] ?? '')),
  );
}

/** Returns the link of a mail with its token. Throws unless the text and the HTML part have the same one. */
export function linkIn(mail: ReceivedMail): { url: string; token: string } {
  const [inText, inHtml] = ['text/plain', 'text/html'].map((type) => {
    const [, url, token] = /(https?:\/\/[^\s"#]+)#token=([A-Za-z0-9_-]{43})/.exec(mail.parts[type] ?? '') ?? [];
    if (url === undefined || token === undefined) throw new Error(`no link with a token in the ${type} part`);
    return { url, token };
  });
  if (inText === undefined || inText.token !== inHtml?.token) throw new Error('the parts have different links');
  return inText;
}
