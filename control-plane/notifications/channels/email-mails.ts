import { createHash } from 'node:crypto';
import { foreignText } from '../../mail/foreign-text.js';
import type { MailMessage } from '../../mail/mail-server.js';
import { oneClickHeaders } from '../../mail/one-click.js';
import type { SortedAddresses } from '../../recipients/recipients.js';
import type { Message } from '../message.js';
import { emailHtml, emailText } from './email-body.js';

/** RFC 5322 allows longer subjects, but mail clients do not show more in lists. */
const SUBJECT_CHARS_MAX = 200;
const ADDRESS_HASH_CHARS = 12;

/** A mail and to whom it goes. */
export interface AddressedMail {
  addresses: readonly string[];
  mail: MailMessage;
}

export function subjectOf(message: Pick<Message, 'title'>): string {
  return foreignText(message.title, SUBJECT_CHARS_MAX);
}

/**
 * Returns the mails of a message: one to all members, who know each other, without those who may only read; one to these;
 * and one to each other address, with the link that stops them. Only the first one has the link that acknowledges. Leaves
 * out addresses that an earlier attempt has reached. Pure.
 */
export function mailsOf(
  message: Message,
  { members, viewers, others }: Pick<SortedAddresses, 'members' | 'viewers' | 'others'>,
  reached: readonly string[],
): AddressedMail[] {
  const known = new Set(reached);
  const inert = { ...message, actionLink: null };
  const toMembers = (shown: Message, id: string, addresses: readonly string[]): AddressedMail[] => {
    const left = addresses.filter((address) => !known.has(address));
    return left.length === 0 ? [] : [{ addresses: left, mail: mailOf(shown, id, left, null) }];
  };
  return [
    ...toMembers(message, message.id, members),
    // The content differs, so the Message-ID does too.
    ...toMembers(inert, `${message.id}:viewers`, viewers),
    ...others
      .filter(({ address }) => !known.has(address))
      .map(({ address, stopUrl }) => ({
        addresses: [address],
        mail: mailOf(inert, `${message.id}:${hashOf(address)}`, [address], stopUrl),
      })),
  ];
}

function mailOf(message: Message, id: string, to: readonly string[], stopUrl: string | null): MailMessage {
  return {
    ...{ id, to, subject: subjectOf(message) },
    text: emailText(message, stopUrl),
    html: emailHtml(message, stopUrl),
    dateMs: null,
    // The thread has its own ID, because the ID of the first e-mail contains the channel.
    thread: { id: `${message.incidentId}:opened`, first: message.kind === 'opened' || message.kind === 'test' },
    headers: { 'X-Picket-Notification': message.id, ...oneClickHeaders(stopUrl) },
    secrets: stopUrl === null ? [] : [stopUrl],
  };
}

function hashOf(address: string): string {
  return createHash('sha256').update(address.toLowerCase()).digest('hex').slice(0, ADDRESS_HASH_CHARS);
}
