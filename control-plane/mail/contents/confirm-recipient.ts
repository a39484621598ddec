import { foreignText } from '../foreign-text.js';
import type { OutgoingMail } from '../mailer.js';
import { minuteUtc } from './when.js';

interface ConfirmRecipient {
  to: string;
  /** The name of the workspace. */
  workspace: string;
  /** The e-mail address of the person who asks, or the name of the workspace. */
  askedBy: string;
  /** What it would get: alerts of a channel, or the reports of a schedule. */
  mails?: 'alerts' | 'reports';
  /** The page that confirms, with its token. */
  link: string;
  /** The URL that stops the mails of the workspace, also those that ask. */
  stopUrl: string;
  expiresAtMs: number;
}

/** Asks an address that is not a member's whether it wants the e-mails of a workspace. */
export function confirmRecipientMail(input: ConfirmRecipient): OutgoingMail {
  const { to, link, stopUrl, expiresAtMs, mails = 'alerts' } = input;
  const [name, asker] = [foreignText(input.workspace), foreignText(input.askedBy)];
  return {
    ...{ to, expiresAtMs, stopUrl, kind: 'confirm_recipient' },
    subject: `Do you want the ${mails} of ${name}?`,
    heading: `Do you want the ${mails} of ${name}?`,
    paragraphs: [
      `${asker} wants Picket to send the ${mails} of the workspace ${name} to this address. Picket monitors websites and servers${mails === 'alerts' ? ', and alerts people when something fails' : ', and reports on them'}.`,
      `Picket sends nothing of this workspace to you before you confirm. The link works until ${minuteUtc(expiresAtMs)}.`,
    ],
    facts: [
      { label: 'Workspace', value: name },
      { label: 'Asked by', value: asker },
      {
        label: 'You would get',
        value:
          mails === 'alerts'
            ? 'An e-mail when something fails, when it is acknowledged and when it works again'
            : 'An e-mail with a report at regular times',
      },
    ],
    action: { label: 'Open the page to confirm', url: link },
    why: `You get this e-mail because ${asker} entered your address. If you do not want the ${mails}, ignore this e-mail: nothing happens without you.`,
  };
}
