import type { ForwardMessage } from '../delivery/message.js';

/** A receiver did not take what it was sent, or could not be reached. */
export class ForwardError extends Error {
  /** The pause that the receiver asked for. */
  readonly retryAfterMs: number | null;
  readonly responseStatus: number | null;

  constructor(message: string, more: { retryAfterMs?: number | null; responseStatus?: number | null } = {}) {
    super(message);
    this.name = 'ForwardError';
    this.retryAfterMs = more.retryAfterMs ?? null;
    this.responseStatus = more.responseStatus ?? null;
  }
}

/** A way to one receiver, used by one driver until it breaks or is closed. */
export interface Transport {
  /** More messages are not given to `send` at once. */
  readonly messagesMax: number;
  /** The receiver says so when it took something; otherwise time has to show it. */
  readonly acknowledged: boolean;
  /**
   * Hands a batch over, in order; resolves when there is room for the next one. Rejects with a ForwardError, and then
   * the way is broken.
   */
  send(messages: readonly ForwardMessage[]): Promise<void>;
  /** How many of the batches, from the first on, the receiver has. Never falls, and stays after a break. */
  taken(): number;
  /** Why nothing more can be sent; null while it can. */
  broken(): ForwardError | null;
  /** Ends it: what was handed over still goes out. `taken` counts it where the receiver's end confirms it. */
  close(): Promise<void>;
}

export interface Opening {
  /** Ends what is under way. */
  signal: AbortSignal;
  /** Called when the way breaks by itself, or more was taken. */
  onNews(): void;
}
