import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { TargetGuard } from '../../../kernel/target-guard.js';
import { SECRET_BYTES, webhookSecret } from '../../../kernel/webhook-signature.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import { AppError } from '../../errors.js';
import type { Ids } from '../../storage/ids.js';
import type { SecretBox } from '../../storage/secret-box.js';
import type { Transaction } from '../../storage/transaction.js';
import type { Channels } from '../channels/all.js';
import type { ChannelDocument } from '../documents.js';
import type { CreateChannel } from '../schema.js';
import { checkConfiguration, sealConfiguration } from './configuration.js';
import type { ChannelStore } from './store.js';

export interface ChannelVerbDeps {
  store: ChannelStore;
  channels: Channels;
  audit: AuditLog;
  box: SecretBox;
  guard: TargetGuard;
  ids: Ids;
  clock: Clock;
  random: Random;
}

/** Every incident goes to every channel, so their number is a matter of load as well. */
const CHANNELS_PER_WORKSPACE_MAX = 100;

/** Stores a channel. `secret` is what a webhook's receiver verifies with; it is never shown again. */
export async function createChannel(
  deps: ChannelVerbDeps,
  tx: Transaction,
  actor: Actor,
  input: CreateChannel,
): Promise<{ channel: ChannelDocument; secret: string | null }> {
  const kind = deps.channels[input.type];
  const config: Record<string, unknown> = { ...input.config };
  checkConfiguration(kind, config, deps.guard);
  if ((await deps.store.count(tx, actor.workspaceId)) >= CHANNELS_PER_WORKSPACE_MAX) {
    throw new AppError('conflict', `A workspace has at most ${CHANNELS_PER_WORKSPACE_MAX} channels.`);
  }
  const secret = input.type === 'webhook' ? webhookSecret(deps.random.bytes(SECRET_BYTES)) : null;
  const nowMs = deps.clock.now();
  const channel: ChannelDocument = {
    _id: deps.ids.next('chn'),
    workspace_id: actor.workspaceId,
    type: input.type,
    name: input.name,
    ...sealConfiguration(kind, { config, signingSecret: secret }, deps.box),
    delay_minutes: input.delay_minutes ?? 0,
    repeat_minutes: input.repeat_minutes ?? null,
    disabled_at_ms: null,
    disabled_reason: null,
    paused_until_ms: 0,
    created_at_ms: nowMs,
    updated_at_ms: nowMs,
    version: 1,
  };
  await deps.store.insert(tx, channel);
  await deps.audit.record(tx, actor, {
    action: 'channel.created',
    resource: { type: 'channel', id: channel._id, name: channel.name },
    metadata: { channel_type: channel.type },
  });
  return { channel, secret };
}
