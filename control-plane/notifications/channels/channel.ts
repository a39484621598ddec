import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';

/** What an attempt may use. */
export interface SendContext {
  /** When this attempt is made, for signatures. */
  attemptMs: number;
  /** For one exchange with the receiver. */
  timeoutMs: number;
  /** Ends the attempt: a little after `timeoutMs`, or early when the process stops. */
  signal: AbortSignal;
  /** A webhook's signing secret; null for every other type. */
  signingSecret: string | null;
}

/** One kind of channel: what its configuration looks like, and how a message reaches it. */
export interface Channel {
  config: TObject;
  /** Members of the configuration that are stored sealed and shown masked. */
  secrets: readonly string[];
  /** Members that hold a URL chosen by the customer: judged by the target guard. */
  urls: readonly string[];
  /** Never throws for what the receiver does; `config` is what was stored, so it is checked once more. */
  send(config: unknown, message: Message, context: SendContext): Promise<Outcome>;
  close(): Promise<void>;
}

/** Keeps the static type of the configuration inside `send`; outside, all channels are of one type. */
export function defineChannel<S extends TObject>(channel: {
  config: S;
  secrets: readonly string[];
  urls: readonly string[];
  send(config: Static<S>, message: Message, context: SendContext): Promise<Outcome>;
  close?(): Promise<void>;
}): Channel {
  return {
    config: channel.config,
    secrets: channel.secrets,
    urls: channel.urls,
    async send(config, message, context) {
      if (!Value.Check(channel.config, config)) {
        return { kind: 'refused', error: 'the stored configuration is not valid', responseStatus: null };
      }
      return channel.send(config, message, context);
    },
    close: async () => channel.close?.(),
  };
}
