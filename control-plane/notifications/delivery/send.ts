import type { Clock } from '../../../kernel/clock.js';
import { afterListening } from '../../../kernel/stalls/listening-timer.js';
import type { StandingOf } from '../../plans/cache.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { openConfiguration } from '../channel-settings/configuration.js';
import type { Channels } from '../channels/all.js';
import type { SendContext } from '../channels/channel.js';
import type { ChannelDocument } from '../documents.js';
import type { Message } from '../message.js';
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
  clock: Clock;
  exchangeTimeoutMs?: number;
}

export function createSend(needs: SendNeeds): Send {
  const { channels, box, clock } = needs;
  const timeoutMs = needs.exchangeTimeoutMs ?? EXCHANGE_TIMEOUT_MS;
  return async (channel, message, stop) => {
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
    const outcome = await attempt(channel, message, context).catch(unexpected);
    timer.cancel();
    return { ...outcome, durationMs: clock.monotonic() - startedAt };
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

/** Returns the outcome of an internal error. It is retried, because the next version of Picket may fix it. */
export function unexpected(error: unknown): Outcome {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'retry', error: `internal: ${message}`, responseStatus: null, retryAfterMs: null };
}
