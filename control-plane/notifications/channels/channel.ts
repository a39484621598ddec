import type { Static, TObject } from 'typebox';
import { Value } from 'typebox/value';
import type { FieldError } from '../../errors.js';
import { createSchemaCompiler, type SchemaCheck } from '../../http/input/schema-check.js';
import type { SortedAddresses } from '../../recipients/recipients.js';
import type { Outcome } from '../delivery/retry.js';
import type { Message } from '../message.js';

/** The settings of one attempt. */
export interface SendContext {
  /** Time of this attempt, for signatures. */
  attemptMs: number;
  /** Time limit of one request to the receiver. */
  timeoutMs: number;
  /** Aborts the attempt: shortly after `timeoutMs`, or earlier when the process stops. */
  signal: AbortSignal;
  /** Begins the attempt anew, with this time limit: until now, it waited for other attempts of this process. */
  restartLimit(limitMs: number): void;
  /** The signing secret of a webhook; null for other types. */
  signingSecret: string | null;
  /** Of an e-mail channel; null for other types. */
  mail: MailRecipients | null;
}

/** To whom an e-mail channel sends. */
export interface MailRecipients {
  workspaceId: string;
  /** Reads what may be sent to the addresses of the channel. */
  sort(): Promise<SortedAddresses>;
  /** Addresses that an earlier attempt has reached. */
  reached: readonly string[];
}

/** The implementation of a channel type: the schema of its configuration, and how it sends messages. */
export interface Channel {
  config: TObject;
  /** Returns everything that does not match `config`, as JSON pointers into the configuration. */
  errors(config: Record<string, unknown>): FieldError[];
  /** Fields of the configuration that are stored sealed and shown masked. */
  secrets: readonly string[];
  /** Fields with a URL from a user, which the target guard checks. */
  urls: readonly string[];
  /** Sends a message. Never throws because of the receiver. `config` is validated again, because it was stored. */
  send(config: unknown, message: Message, context: SendContext): Promise<Outcome>;
  close(): Promise<void>;
}

/** Returns a channel. Its `send` has the static type of its own configuration; all channels have the same type. */
export function defineChannel<S extends TObject>(channel: {
  config: S;
  secrets: readonly string[];
  urls: readonly string[];
  send(config: Static<S>, message: Message, context: SendContext): Promise<Outcome>;
  close?(): Promise<void>;
}): Channel {
  // Compiled by the first change of a channel: most processes of a test or a command never need it.
  let schema: SchemaCheck<Static<S>> | null = null;
  return {
    config: channel.config,
    errors(config) {
      schema ??= createSchemaCompiler()(channel.config);
      const checked = schema.read(config);
      return checked.ok ? [] : checked.errors;
    },
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
