import type { Recipients } from '../../recipients/recipients.js';
import { addressesOf } from './addresses.js';
import type { ChannelStore } from './store.js';

const CHANNELS_PER_READ_MAX = 500;

/**
 * Confirms the addresses of e-mail channels of earlier versions, which asked nobody: an upgrade must not silence a channel.
 * Idempotent, and several control planes can do it at once: it changes no address that is known, and marks the channel
 * afterwards.
 */
export async function confirmEarlierRecipients(needs: {
  store: Pick<ChannelStore, 'ofEarlierVersions' | 'markAsking'>;
  recipients: Pick<Recipients, 'confirmEarlier'>;
}): Promise<void> {
  const { store, recipients } = needs;
  for (;;) {
    const channels = await store.ofEarlierVersions(CHANNELS_PER_READ_MAX);
    for (const channel of channels) await recipients.confirmEarlier(channel.workspace_id, addressesOf(channel));
    await store.markAsking(channels.map(({ _id }) => _id));
    if (channels.length < CHANNELS_PER_READ_MAX) return;
  }
}
