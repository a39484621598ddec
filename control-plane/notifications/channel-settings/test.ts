import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { Random } from '../../../kernel/random.js';
import type { Actor } from '../../actor.js';
import { notFound } from '../../errors.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { Send } from '../delivery/send.js';
import type { ChannelDocument } from '../documents.js';
import { testMessage } from '../message.js';
import type { TestResult } from '../schema.js';
import { addressesOf } from './addresses.js';
import type { ChannelStore } from './store.js';

interface TestChannelNeeds {
  store: ChannelStore;
  send: Send;
  recipients: Pick<Recipients, 'sort' | 'countTest'>;
  /** Null without a mail server: then no e-mail is sent, and none counted. */
  smtpUrl: string | null;
  clock: Clock;
  random: Random;
  logger: Logger;
  publicUrl: string;
}

/**
 * Sends a test message through the channel, even if it is disabled, so that users can check whether it works again. The
 * result is kept on the channel, if it can be written: the message was sent already. Throws `rate_limited` when the test
 * e-mails of the day are used up.
 */
export async function testChannel(needs: TestChannelNeeds, actor: Actor, channelId: string): Promise<TestResult> {
  const channel = await needs.store.find(actor.workspaceId, channelId);
  if (channel === null) throw notFound('channel');
  await countMails(needs, actor, channel);
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

async function countMails(
  { recipients, smtpUrl }: TestChannelNeeds,
  actor: Actor,
  channel: ChannelDocument,
): Promise<void> {
  if (channel.type !== 'email' || smtpUrl === null) return;
  const { members, viewers, others } = await recipients.sort(channel.workspace_id, addressesOf(channel));
  const addresses = [...members, ...viewers, ...others.map(({ address }) => address)];
  if (addresses.length > 0) await recipients.countTest(actor, addresses);
}

function resultOf(outcome: Awaited<ReturnType<Send>>): TestResult {
  const durationMs = Math.round(outcome.durationMs);
  if (outcome.kind === 'skipped' || outcome.kind === 'unconfirmed') {
    return { status: outcome.kind, error: outcome.reason, response_status: null, duration_ms: durationMs };
  }
  return {
    status: outcome.kind === 'sent' ? 'sent' : 'failed',
    error: outcome.kind === 'sent' ? outcome.warning : outcome.error,
    response_status: outcome.responseStatus,
    duration_ms: durationMs,
  };
}
