import { SECRET_BYTES, webhookSecret } from '../../../kernel/webhook-signature.js';
import type { Actor } from '../../actor.js';
import { AppError } from '../../errors.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument } from '../documents.js';
import type { CreateChannel } from '../schema.js';
import { addressesOf } from './addresses.js';
import { checkConfiguration, sealConfiguration } from './configuration.js';
import type { ChannelSettingsNeeds } from './needs.js';
import { notAskedWarnings } from './not-asked.js';

/** Every incident can notify every channel, so the number of channels also limits the load. */
const CHANNELS_PER_WORKSPACE_MAX = 100;

/** Creates a channel. `secret` is the signing secret of a webhook, null for other types; it is never shown again. */
export async function createChannel(
  needs: ChannelSettingsNeeds,
  tx: Transaction,
  actor: Actor,
  input: CreateChannel,
): Promise<{ channel: ChannelDocument; secret: string | null; warnings: string[] }> {
  const kind = needs.channels[input.type];
  const config: Record<string, unknown> = { ...input.config };
  checkConfiguration(kind, config, needs.guard);
  const present = await needs.store.lockAndCount(tx, actor.workspaceId, CHANNELS_PER_WORKSPACE_MAX);
  if (present >= CHANNELS_PER_WORKSPACE_MAX) {
    throw new AppError('conflict', `A workspace has at most ${CHANNELS_PER_WORKSPACE_MAX} channels.`);
  }
  const secret = input.type === 'webhook' ? webhookSecret(needs.random.bytes(SECRET_BYTES)) : null;
  const nowMs = needs.clock.now();
  const id = needs.ids.next('chn');
  const channel: ChannelDocument = {
    _id: id,
    workspace_id: actor.workspaceId,
    type: input.type,
    name: input.name,
    ...(input.type === 'email' ? { asks_recipients: true } : {}),
    ...sealConfiguration(kind, { config, signingSecret: secret }, needs.box, id),
    delay_minutes: input.delay_minutes ?? 0,
    repeat_minutes: input.repeat_minutes ?? null,
    disabled_at_ms: null,
    disabled_reason: null,
    paused_until_ms: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await needs.store.insert(tx, channel);
  await needs.audit.record(tx, actor, {
    action: 'channel.created',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { channel_type: channel.type },
  });
  const notAsked = await needs.recipients.ask(tx, actor, { added: addressesOf(channel), kept: [] });
  return { channel, secret, warnings: notAskedWarnings(notAsked) };
}
