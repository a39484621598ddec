import type { Actor } from '../../actor.js';
import { invalidField, notFound } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument } from '../documents.js';
import { sendsTo } from './addresses.js';
import type { ChannelSettingsNeeds } from './needs.js';

/** Asks an address of the channel again whether it wants the e-mails. Throws 422 for an address that the channel does not have. */
export async function askAgain(
  { store, recipients }: Pick<ChannelSettingsNeeds, 'store' | 'recipients'>,
  tx: Transaction,
  actor: Actor,
  { id, address }: { id: string; address: string },
): Promise<ChannelDocument> {
  const channel = await store.findIn(tx, actor.workspaceId, id);
  if (channel === null) throw notFound('channel');
  if (!sendsTo(channel, address)) throw invalidField('/address', 'is not an address of this channel', 'one_of');
  await recipients.askAgain(tx, actor, address);
  return channel;
}
