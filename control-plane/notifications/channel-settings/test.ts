import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Send } from '../delivery/send.js';
import { testMessage } from '../message.js';
import type { TestResult } from '../schema.js';
import type { ChannelStore } from './store.js';

interface TestChannelNeeds {
  store: ChannelStore;
  send: Send;
  clock: Clock;
  random: Random;
  logger: Logger;
  publicUrl: string;
}

/**
 * Sends a test message through the channel, even if it is disabled, so that users can check whether it works again. The
 * result is kept on the channel, if it can be written: the message was sent already.
 */
export async function testChannel(needs: TestChannelNeeds, actor: Actor, channelId: string): Promise<TestResult> {
  const channel = await needs.store.find(actor.workspaceId, channelId);
  if (channel === null) throw notFound('channel');
  const message = testMessage({
    id: `test_${needs.random.bytes(12).toString('hex')}`,
    channel: { id: channel._id, name: channel.name, type: channel.type },
    atMs: needs.clock.now(),
    publicUrl: needs.publicUrl,
  });
  const outcome = await needs.send(channel, message, new AbortController().signal);
  const result = resultOf(outcome);
  const { status, response_status, error } = result;
  const attempt = { at_ms: needs.clock.now(), status, response_status, error };
  await needs.store
    .recordTest(channel, attempt)
    .catch((err) =>
      needs.logger.warn({ err, channel: channel._id }, 'the channel does not show its test: writing it failed'),
    );
  return result;
}

function resultOf(outcome: Awaited<ReturnType<Send>>): TestResult {
  const durationMs = Math.round(outcome.durationMs);
  if (outcome.kind === 'skipped') {
    return { status: 'skipped', error: outcome.reason, response_status: null, duration_ms: durationMs };
  }
  return {
    status: outcome.kind === 'sent' ? 'sent' : 'failed',
    error: outcome.kind === 'sent' ? outcome.warning : outcome.error,
    response_status: outcome.responseStatus,
    duration_ms: durationMs,
  };
}
