import type { Db } from 'mongodb';
import type { Clock } from '../../../kernel/clock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument } from '../documents.js';
import { createChannelStore } from './store.js';

/** The reason in the channel. The dashboard has it in the language of the person. */
const DISABLED_UNCONFIRMED = 'created before an owner confirmed their e-mail address';

/**
 * Returns the function that disables the enabled channels of a workspace, except e-mail channels that send to `exceptTo` only.
 * It resolves to their number.
 */
export function createDisableAll({ db, clock }: { db: Db; clock: Clock }) {
  const store = createChannelStore(db);
  return async (tx: Transaction, of: { workspaceId: string; exceptTo: string }): Promise<number> => {
    const enabled = await store.enabled(tx, [of.workspaceId], null);
    const disabled = enabled.filter((channel) => !sendsOnlyTo(channel, of.exceptTo));
    for (const { _id } of disabled) await store.disable(tx, of.workspaceId, _id, DISABLED_UNCONFIRMED, clock.now());
    return disabled.length;
  };
}

function sendsOnlyTo({ type, config }: ChannelDocument, address: string): boolean {
  const { to } = config;
  return type === 'email' && Array.isArray(to) && to.every((one) => String(one).toLowerCase() === address);
}
