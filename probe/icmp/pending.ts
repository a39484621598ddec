import type { Random } from '../../kernel/random.js';
import { TOKEN_BYTES } from './packet.js';

/** What came of an echo request. */
export type EchoAnswer = { kind: 'reply'; rttMs: number } | { kind: 'error'; reason: string };

/** An echo request without an answer yet. */
export interface PendingEcho {
  sequence: number;
  token: number;
  /** The target's address as hex, to which an ICMP error must refer. */
  destination: string;
  sentWallMs: number;
  sentMs: number;
  answered: (answer: EchoAnswer) => void;
}

/** The requests under way on one socket, by sequence number. */
export interface PendingEchoes {
  /** Takes a request in under a free number; null when there are too many. */
  add(destination: string, answered: (answer: EchoAnswer) => void): PendingEcho | null;
  find(sequence: number): PendingEcho | undefined;
  /** Tells the answer, once. */
  settle(echo: PendingEcho, answer: EchoAnswer): void;
  forget(echo: PendingEcho): void;
  clear(): void;
}

const SEQUENCES = 65_536;
const PENDING_MAX = SEQUENCES / 2;
const TOKENS_PER_BLOCK = 512;

export function createPendingEchoes(random: Random): PendingEchoes {
  const pending = new Map<number, PendingEcho>();
  const tokens = createTokens(random);
  let next = random.bytes(2).readUInt16BE(0);

  function forget(echo: PendingEcho): void {
    // Once it was answered its number may belong to another request.
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
      forget(echo);
      echo.answered(answer);
    },
    forget,
    clear: () => pending.clear(),
  };
}

/** Random integers, drawn from a block: asking the system for each would cost more than sending the ping. */
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
