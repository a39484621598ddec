import { canonicalEmail } from '../../http/input/email-address.js';
import type { ChannelDocument } from '../documents.js';

/** Returns the addresses of an e-mail channel; none for other types. */
export function addressesOf({ type, config }: Pick<ChannelDocument, 'type' | 'config'>): string[] {
  const to: unknown = type === 'email' ? config['to'] : [];
  return Array.isArray(to) ? to.map(String) : [];
}

/** Returns whether the channel sends e-mails to the address, in whatever spelling. */
export function sendsTo(channel: Pick<ChannelDocument, 'type' | 'config'>, address: string): boolean {
  return addressesOf(channel).some((one) => canonicalEmail(one) === canonicalEmail(address));
}
