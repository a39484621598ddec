import type { Clock } from '../../../kernel/clock.js';
import type { Progress } from './transition.js';

/** Where a rule stands with a server. */
export interface RuleMemory {
  version: number;
  progress: Progress;
  /** Reports without the series while it fires. */
  missing: { sinceMs: number; count: number } | null;
  /** When the incident was last seen to be open, on the monotonic clock. */
  seenOpenMs: number;
}

/**
 * A memory only: what it lacks is read from history and from the open incidents. So it matters to nobody where a
 * server's reports go, nor whether the process that took the last ones still lives.
 */
export interface ServerMemory {
  lastMs: number | null;
  usedMs: number;
  /** Counts what says that reports are missing here: late ones, which fill the history and are not evaluated. */
  doubts: number;
  /** Doubts that history has answered. */
  settled: number;
  rules: Map<string, RuleMemory>;
}

/** Servers that no report came from for so long are forgotten. */
const KEPT_MS = 3_600_000;

export interface Memories {
  /** Made when there is none. */
  of(serverId: string): ServerMemory;
  known(serverId: string): ServerMemory | null;
  forget(serverId: string): void;
  /** Forgets the servers that no longer report. */
  prune(): void;
}

export function createMemories(clock: Pick<Clock, 'monotonic'>): Memories {
  const memories = new Map<string, ServerMemory>();
  return {
    of(serverId) {
      const known = memories.get(serverId);
      if (known !== undefined) return known;
      const fresh = { lastMs: null, usedMs: clock.monotonic(), doubts: 0, settled: 0, rules: new Map() };
      memories.set(serverId, fresh);
      return fresh;
    },
    known: (serverId) => memories.get(serverId) ?? null,
    forget: (serverId) => void memories.delete(serverId),
    prune() {
      for (const [id, { usedMs }] of memories) if (clock.monotonic() - usedMs > KEPT_MS) memories.delete(id);
    },
  };
}
