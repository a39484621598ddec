import type { Clock } from '../../kernel/clock.js';
import type { ChangedMember } from '../accounts/member-access.js';
import type { ChannelHeads } from '../notifications/notifications.js';
import { ROLE_RIGHTS } from '../roles.js';
import type { Transaction } from '../storage/transaction.js';
import type { RevocationsStore } from './store.js';

/**
 * Returns the function that revokes the links in e-mails to somebody who left, or who may only read from now on: a link
 * acknowledges incidents. A link does not say who got it, so it revokes those of each channel that sends to the person.
 */
export function createEndLinks(needs: {
  channels: Pick<ChannelHeads, 'sendingTo'>;
  revocations: Pick<RevocationsStore, 'revoke'>;
  clock: Clock;
}): (tx: Transaction, receiver: Pick<ChangedMember, 'workspaceId' | 'email' | 'role'>) => Promise<number> {
  const { channels, revocations, clock } = needs;
  return async (tx, { workspaceId, email, role }) => {
    if (role !== null && ROLE_RIGHTS[role].write) return 0;
    const ids = await channels.sendingTo(tx, workspaceId, email);
    for (const id of ids) await revocations.revoke(tx, workspaceId, id, clock.now());
    return ids.length;
  };
}
