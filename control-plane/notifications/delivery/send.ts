import type { Clock } from '../../../kernel/clock.js';
import type { SecretBox } from '../../storage/secret-box.js';
import { openConfiguration } from '../channel-settings/configuration.js';
import type { Channels } from '../channels/all.js';
import type { ChannelDocument } from '../documents.js';
import type { Message } from '../message.js';
import type { Outcome } from './retry.js';

/** One attempt through a channel, its secrets opened. Never throws: what goes wrong is an outcome. */
export type Send = (
  channel: ChannelDocument,
  message: Message,
  stop: AbortSignal,
) => Promise<Outcome & { durationMs: number }>;

/** For one exchange with a receiver; a slow one has had its chance then. */
const EXCHANGE_TIMEOUT_MS = 15_000;
/** Of a whole attempt, for those that have no deadline of their own. Well below the lease of a row. */
const ATTEMPT_TIMEOUT_MS = 16_000;

export function createSend(deps: {
  channels: Channels;
  box: SecretBox;
  clock: Clock;
  exchangeTimeoutMs?: number;
}): Send {
  const { channels, box, clock } = deps;
  const timeoutMs = deps.exchangeTimeoutMs ?? EXCHANGE_TIMEOUT_MS;
  return async (channel, message, stop) => {
    const startedAt = clock.monotonic();
    const end = new AbortController();
    const timer = clock.after(timeoutMs + ATTEMPT_TIMEOUT_MS - EXCHANGE_TIMEOUT_MS, () => end.abort());
    const context = { attemptMs: clock.now(), timeoutMs, signal: AbortSignal.any([stop, end.signal]) };
    const outcome = await attempt(channel, message, context).catch(unexpected);
    timer.cancel();
    return { ...outcome, durationMs: clock.monotonic() - startedAt };
  };

  async function attempt(
    channel: ChannelDocument,
    message: Message,
    context: { attemptMs: number; timeoutMs: number; signal: AbortSignal },
  ): Promise<Outcome> {
    const { config, signingSecret } = openConfiguration(channel, box);
    return channels[channel.type].send(config, message, { ...context, signingSecret });
  }
}

/** A fault of our own: tried again like any other, since it may be gone with the next version. */
export function unexpected(error: unknown): Outcome {
  const message = error instanceof Error ? `${error.name}: ${error.message}` : String(error);
  return { kind: 'retry', error: `internal: ${message}`, responseStatus: null, retryAfterMs: null };
}
