import type { ClientStream } from './client-stream.js';

/** What waits for all clients together. Alone, each may leave `UNREAD_BYTES_MAX` unread. */
export const ALL_UNREAD_BYTES_MAX = 32 * 1024 * 1024;

/** Bounds the memory of what clients have not read yet. */
export interface UnreadBytes {
  /** To be called with each text that was written. Ends the slowest clients if too much waits for all of them. */
  written(bytes: number): void;
}

interface UnreadBytesNeeds {
  streams(): Iterable<Pick<ClientStream, 'unreadBytes' | 'cut'>>;
  bytesMax: number;
  /** Called for each client that was ended. */
  onCut(): void;
}

export function createUnreadBytes({ streams, bytesMax, onCut }: UnreadBytesNeeds): UnreadBytes {
  /** At least what waits: clients only read. Counting exactly for each text would take longer than writing it. */
  let atMost = 0;

  function cutSlowest(): void {
    const waiting = [...streams()].map((stream) => ({ stream, bytes: stream.unreadBytes() }));
    waiting.sort((a, b) => b.bytes - a.bytes);
    atMost = waiting.reduce((sum, { bytes }) => sum + bytes, 0);
    for (const { stream, bytes } of waiting) {
      if (atMost <= bytesMax) return;
      stream.cut();
      onCut();
      atMost -= bytes;
    }
  }

  return {
    written(bytes) {
      atMost += bytes;
      if (atMost > bytesMax) cutSlowest();
    },
  };
}
