import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Send } from '../delivery/send.js';
import { testMessage } from '../message.js';
import type { TestResult } from '../schema.js';
import type { ChannelStore } from './store.js';

/** Sends a test through the channel, also through a disabled one: that is how to see whether it works again. */
export async function testChannel(
  deps: { store: ChannelStore; send: Send; clock: Clock; random: Random; publicUrl: string },
  actor: Actor,
  channelId: string,
): Promise<TestResult> {
  const channel = await deps.store.find(actor.workspaceId, channelId);
  if (channel === null) throw notFound('channel');
  const message = testMessage({
    id: `test_${deps.random.bytes(12).toString('hex')}`,
    channel: { id: channel._id, name: channel.name, type: channel.type },
    atMs: deps.clock.now(),
    publicUrl: deps.publicUrl,
  });
  const outcome = await deps.send(channel, message, new AbortController().signal);
  const durationMs = Math.round(outcome.durationMs);
  if (outcome.kind === 'skipped') {
    return { status: 'skipped', error: outcome.reason, response_status: null, duration_ms: durationMs };
  }
  return {
    status: outcome.kind === 'sent' ? 'sent' : 'failed',
    error: outcome.kind === 'sent' ? outcome.note : outcome.error,
    response_status: outcome.responseStatus,
    duration_ms: durationMs,
  };
}
