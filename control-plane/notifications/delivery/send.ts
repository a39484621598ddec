import type { Clock } from '../../../kernel/clock.js';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Recipients } from '../../recipients/recipients.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { addressesOf } from '../channel-settings/addresses.js';
import { openConfiguration } from '../channel-settings/configuration.js';
import type { Channels } from '../channels/all.js';
import type { MailRecipients, SendContext } from '../channels/channel.js';
import type { ChannelDocument } from '../documents.js';
import type { Message } from '../message.js';
import type { AskUnasked } from './ask-unasked.js';
import { mayReceive } from './may-receive.js';
import type { Outcome } from './retry.js';
import { withoutEchoedLink } from './without-echoed-link.js';

/**
 * Makes one attempt to send a message through a channel. Never throws: a failure is an outcome. `durationMs` is the time of
 * the receiver, unless an attempt has only waited for others of this process.
 */
export type Send = (
  channel: ChannelDocument,
  message: Message,
  stop: AbortSignal,
  /** Addresses that an earlier attempt has reached. */
  reached?: readonly string[],
) => Promise<Outcome & { durationMs: number }>;

/** Time limit of one request to a receiver. */
const EXCHANGE_TIMEOUT_MS = 15_000;
/** Time limit of a whole attempt, for channels without a time limit per request. Channels may set another one. */
const ATTEMPT_TIMEOUT_MS = 16_000;

const UNCONFIRMED: Outcome = {
  kind: 'skipped',
  reason: 'no owner of the workspace has confirmed their e-mail address',
};

interface SendNeeds {
  channels: Channels;
  box: SecretBox;
  standingOf: StandingOf;
  recipients: Pick<Recipients, 'sort' | 'confirmEarlier'>;
  askUnasked: AskUnasked;
  clock: Clock;
  exchangeTimeoutMs?: number;
}

export function createSend(needs: SendNeeds): Send {
  const { channels, box, clock } = needs;
  const timeoutMs = needs.exchangeTimeoutMs ?? EXCHANGE_TIMEOUT_MS;
  return async (channel, message, stop, reached = []) => {
    let startedAt = clock.monotonic();
    const end = new AbortController();
    const limited = (limitMs: number) => afterListening(clock, limitMs, () => end.abort());
    let timer = limited(timeoutMs + ATTEMPT_TIMEOUT_MS - EXCHANGE_TIMEOUT_MS);
    const context = {
      ...{ attemptMs: clock.now(), timeoutMs, signal: AbortSignal.any([stop, end.signal]) },
      restartLimit(limitMs: number) {
        timer.cancel();
        timer = limited(limitMs);
        startedAt = clock.monotonic();
      },
    };
    const unasked: string[] = [];
    const mail = channel.type === 'email' ? mailRecipients(needs, channel, { reached, unasked }) : null;
    const outcome = await attempt(channel, message, { ...context, mail }).catch(unexpected);
    timer.cancel();
    const durationMs = clock.monotonic() - startedAt;
    // After the message, which must not wait for it.
    await needs.askUnasked(channel.workspace_id, unasked);
    return { ...outcome, durationMs };
  };

  async function attempt(
    channel: ChannelDocument,
    message: Message,
    context: Omit<SendContext, 'signingSecret'>,
  ): Promise<Outcome> {
    const { config, signingSecret } = openConfiguration(channel, box);
    const standing = await needs.standingOf(channel.workspace_id);
    if (!mayReceive(channel.type, config, standing?.onlyTo ?? null)) return UNCONFIRMED;
    const outcome = await channels[channel.type].send(config, message, { ...context, signingSecret });
    return withoutEchoedLink(outcome, message.actionLink);
  }
}

/** `unasked` collects the addresses that were never asked. */
function mailRecipients(
  { recipients }: SendNeeds,
  channel: ChannelDocument,
  { reached, unasked }: { reached: readonly string[]; unasked: string[] },
): MailRecipients {
  const { workspace_id: workspaceId, asks_recipients: asks } = channel;
  const to = addressesOf(channel);
  return {
    ...{ workspaceId, reached },
    async sort() {
      // A control plane of an earlier version can still create channels during an upgrade.
      if (asks !== true) await recipients.confirmEarlier(workspaceId, to);
      const sorted = await recipients.sort(workspaceId, to);
      unasked.push(...sorted.unasked);
      return sorted;
    },
  };
}

/** Returns the outcome of an internal error. It is retried, because the next version of Picket may fix it. */
export function unexpected(error: unknown): Outcome {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'retry', error: `internal: ${message}`, responseStatus: null, retryAfterMs: null };
}
