import type { ChannelDocument } from '../documents.js';

/** Returns the addresses of an e-mail channel; none for other types. */
export function addressesOf({ type, config }: Pick<ChannelDocument, 'type' | 'config'>): string[] {
  const to: unknown = type === 'email' ? config['to'] : [];
  return Array.isArray(to) ? to.map(String) : [];
}
