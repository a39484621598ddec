import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';

/** The writing half of a gRPC stream. */
interface MessageSink {
  write(message: ToNode): boolean;
  once(event: 'drain', listener: () => void): unknown;
}

/**
 * The stream of a node that reads so slowly that more messages wait is ended. The node reconnects and gets a snapshot.
 */
const MESSAGES_WAITING_MAX = 2_000;
/** Above this, messages that may be lost are dropped. */
const OFFERS_WAITING_MAX = 1_000;

/** Writes in order. While the stream is full, messages wait in a bounded queue. */
export interface StreamWriter {
  write(message: ToNode): void;
  /** Writes a message that is useless later. Returns false when it was dropped because too many wait. */
  offer(message: ToNode): boolean;
  /** Returns the number of waiting messages. */
  backlog(): number;
  /** Calls `done` once the stream has taken all messages written so far. */
  whenFlushed(done: () => void): void;
}

export function createStreamWriter(sink: MessageSink, onOverflow: () => void): StreamWriter {
  const waiting: ToNode[] = [];
  let flushed: (() => void) | null = null;
  let full = false;
  let overflowed = false;
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
    if (overflowed) return;
    waiting.push(message);
    flush();
    if (waiting.length <= MESSAGES_WAITING_MAX) return;
    overflowed = true;
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
