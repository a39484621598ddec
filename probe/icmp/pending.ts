import type { Random } from '../../kernel/random.js';
import { TOKEN_BYTES } from './packet.js';

/** The answer to an echo request. */
export type EchoAnswer = { kind: 'reply'; rttMs: number } | { kind: 'error'; reason: string };

/** A handle of an echo request. After `cancel`, an answer is ignored. */
export interface Echo {
  cancel(): void;
}

/** The handle of a request that was not sent. */
export const NO_ECHO: Echo = { cancel: () => undefined };

/** An echo request that is not answered yet. */
export interface PendingEcho {
  sequence: number;
  token: number;
  /** The address of the target in hex. An ICMP error must quote it. */
  destination: string;
  sentWallMs: number;
  sentMs: number;
  answered: (answer: EchoAnswer) => void;
}

/** The unanswered requests of one socket, by sequence number. */
export interface PendingEchoes {
  /** Adds a request with a free sequence number. Returns null if there are too many requests. */
  add(destination: string, answered: (answer: EchoAnswer) => void): PendingEcho | null;
  find(sequence: number): PendingEcho | undefined;
  /** Removes the request and calls its `answered`. */
  settle(echo: PendingEcho, answer: EchoAnswer): void;
  remove(echo: PendingEcho): void;
  clear(): void;
}

const SEQUENCES = 65_536;
const PENDING_MAX = SEQUENCES / 2;
const TOKENS_PER_BLOCK = 512;

export function createPendingEchoes(random: Random): PendingEchoes {
  const pending = new Map<number, PendingEcho>();
  const tokens = createTokens(random);
  let next = random.bytes(2).readUInt16BE(0);

  function remove(echo: PendingEcho): void {
    // After an answer the sequence number may belong to another request.
    if (pending.get(echo.sequence) === echo) pending.delete(echo.sequence);
  }

  return {
    add(destination, answered) {
      if (pending.size >= PENDING_MAX) return null;
      while (pending.has(next)) next = (next + 1) % SEQUENCES;
      const echo = { sequence: next, token: tokens.next(), destination, sentWallMs: 0, sentMs: 0, answered };
      pending.set(echo.sequence, echo);
      next = (next + 1) % SEQUENCES;
      return echo;
    },
    find: (sequence) => pending.get(sequence),
    settle(echo, answer) {
      remove(echo);
      echo.answered(answer);
    },
    remove,
    clear: () => pending.clear(),
  };
}

/** Returns random integers, taken from a block of random bytes: one call for each would cost more than the ping. */
function createTokens(random: Random): { next(): number } {
  let block: Buffer = Buffer.alloc(0);
  let at = 0;
  return {
    next() {
      if (at + TOKEN_BYTES > block.length) {
        block = random.bytes(TOKEN_BYTES * TOKENS_PER_BLOCK);
        at = 0;
      }
      const token = block.readUIntBE(at, TOKEN_BYTES);
      at += TOKEN_BYTES;
      return token;
    },
  };
}
