import type { ForwardMessage } from '../delivery/message.js';

/** A receiver did not accept a batch, or is unreachable. */
export class ForwardError extends Error {
  /** The delay that the receiver requested. */
  readonly retryAfterMs: number | null;

  constructor(message: string, more: { retryAfterMs?: number | null } = {}) {
    super(message);
    this.name = 'ForwardError';
    this.retryAfterMs = more.retryAfterMs ?? null;
  }
}

/** A connection to one receiver, used by one worker until it breaks or is closed. */
export interface Transport {
  /** The maximum number of messages in one `send`. */
  readonly messagesMax: number;
  /** Whether the receiver acknowledges batches. If not, `confirmed` is based on time without an error. */
  readonly acknowledged: boolean;
  /**
   * Sends a batch, in order, and resolves when the next one may be sent. Rejects with a ForwardError; the connection is
   * broken after that.
   */
  send(messages: readonly ForwardMessage[]): Promise<void>;
  /** Returns how many batches, counted from the first, the receiver has. Never decreases, even after a failure. */
  confirmed(): number;
  /** Returns the HTTP status of the last response; null before the first, and always for protocols without one. */
  responseStatus(): number | null;
  /** Returns why nothing more can be sent; null while the connection works. */
  failure(): ForwardError | null;
  /** Flushes and closes the connection. Counts the last batches as confirmed if the receiver closes it cleanly, too. */
  close(): Promise<void>;
}

export interface TransportOptions {
  /** Aborts the current operation. */
  signal: AbortSignal;
  /** Called when the connection breaks, or when more batches are confirmed. */
  onChange(): void;
}
