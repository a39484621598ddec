import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';

/** The writing half of a gRPC stream. */
export interface MessageSink {
  write(message: ToNode): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/** A node that reads so slowly that this much piles up is cut off; it comes back to a fresh snapshot. */
const MESSAGES_WAITING_MAX = 2_000;
/** Where what may be lost is dropped already. */
const OFFERS_WAITING_MAX = 1_000;

/** Writes in order and stops when the stream says that it is full: what waits here is bounded. */
export interface StreamWriter {
  write(message: ToNode): void;
  /** For what is worth nothing later: dropped (false) when much waits already. */
  offer(message: ToNode): boolean;
  /** Messages that the stream has not taken yet. */
  backlog(): number;
  /** Calls back once everything written so far has been handed to the stream. */
  whenFlushed(done: () => void): void;
}

export function createStreamWriter(sink: MessageSink, onOverflow: () => void): StreamWriter {
  const waiting: ToNode[] = [];
  let flushed: (() => void) | null = null;
  let full = false;
  let overflown = false;
  function flush(): void {
    while (!full) {
      const message = waiting.shift();
      if (message === undefined) break;
      if (sink.write(message)) continue;
      full = true;
      sink.once('drain', () => {
        full = false;
        flush();
      });
    }
    if (waiting.length === 0 && flushed !== null) {
      const done = flushed;
      flushed = null;
      done();
    }
  }
  const write = (message: ToNode) => {
    if (overflown) return;
    waiting.push(message);
    flush();
    if (waiting.length <= MESSAGES_WAITING_MAX) return;
    overflown = true;
    waiting.length = 0;
    onOverflow();
  };
  return {
    write,
    offer(message) {
      if (waiting.length >= OFFERS_WAITING_MAX) return false;
      write(message);
      return true;
    },
    backlog: () => waiting.length,
    whenFlushed(done) {
      flushed = done;
      flush();
    },
  };
}
