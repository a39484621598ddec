import type { LeftAddress, MemberAccess } from '../../accounts/member-access.js';
import { canonicalEmail } from '../../http/input/email-address.js';
import type { Recipients } from '../../recipients/recipients.js';
import { mutedMetadata } from '../../references/ended.js';
import type { Transaction } from '../../storage/transaction.js';
import { addressesOf, sendsTo } from './addresses.js';
import type { ChannelStore } from './store.js';

/**
 * Returns what ends the alerts to an address that is no member's any more. Its channels keep the address, which has to confirm
 * like that of a stranger first. The audit entry counts these channels and names those that meanwhile notify nobody.
 */
export function createEndAlerts({
  store,
  recipients,
}: {
  store: Pick<ChannelStore, 'emailChannels'>;
  recipients: Pick<Recipients, 'leave' | 'unconfirmed'>;
}): MemberAccess {
  const end = async (tx: Transaction, { workspaceId, email }: Pick<LeftAddress, 'workspaceId' | 'email'>) => {
    await recipients.leave(tx, workspaceId, email);
    const channels = (await store.emailChannels(tx, workspaceId)).filter((channel) => sendsTo(channel, email));
    // The person can still be a member: the account is deleted after this.
    const others = channels
      .flatMap(addressesOf)
      .map(canonicalEmail)
      .filter((one) => one !== canonicalEmail(email));
    const unconfirmed = await recipients.unconfirmed(workspaceId, others, tx);
    const reached = new Set(others.filter((one) => !unconfirmed.has(one)));
    const muted = channels.filter(
      (channel) =>
        channel.disabled_at_ms === null && !addressesOf(channel).some((one) => reached.has(canonicalEmail(one))),
    );
    const named = muted.map(({ _id: id, name }) => ({ type: 'channel' as const, id, name }));
    return { count: channels.length, metadata: named.length === 0 ? {} : mutedMetadata(named.length, named) };
  };
  return {
    name: 'channels_to_confirm',
    end: async (tx, member) => (member.role === null ? end(tx, member) : 0),
    endOfAddress: end,
  };
}
