import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface ConfirmRecipient {
  to: string;
  /** The name of the workspace. */
  workspace: string;
  /** The e-mail address of the person who asks, or the name of the workspace. */
  askedBy: string;
  /** The page that confirms, with its token. */
  link: string;
  /** The URL that stops the mails of the workspace, also those that ask. */
  stopUrl: string;
  expiresAtMs: number;
}

/** Asks an address that is not a member's whether it wants the e-mails of a workspace. */
export function confirmRecipientMail(input: ConfirmRecipient): OutgoingMail {
  const { to, link, stopUrl, expiresAtMs } = input;
  const [name, asker] = [foreignText(input.workspace), foreignText(input.askedBy)];
  return {
    ...{ to, expiresAtMs, stopUrl, kind: 'confirm_recipient' },
    subject: `Do you want the alerts of ${name}?`,
    heading: `Do you want the alerts of ${name}?`,
    paragraphs: [
      `${asker} wants Picket to send the alerts of the workspace ${name} to this address. Picket monitors websites and servers, and alerts people when something fails.`,
      `Picket sends nothing of this workspace to you before you confirm. The link works until ${minuteUtc(expiresAtMs)}.`,
    ],
    facts: [
      { label: 'Workspace', value: name },
      { label: 'Asked by', value: asker },
      {
        label: 'You would get',
        value: 'An e-mail when something fails, when it is acknowledged and when it works again',
      },
    ],
    action: { label: 'Open the page to confirm', url: link },
    why: `You get this e-mail because ${asker} entered your address. If you do not want the alerts, ignore this e-mail: nothing happens without you.`,
  };
}
