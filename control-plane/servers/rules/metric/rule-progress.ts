import type { Clock } from '../../../../kernel/clock.js';
import type { Progress } from './transition.js';

/** The progress of a rule with a server. */
export interface RuleProgress {
  /** The version of the rule that the progress belongs to. */
  version: number;
  progress: Progress;
  /** Consecutive samples without the series, while the rule fires. */
  missing: { sinceMs: number; count: number } | null;
  /** When the incident was last seen to be open, on the monotonic clock. */
  seenOpenMs: number;
}

/**
 * The progress of all rules with a server. It is a cache: the history and the open incidents have all of it. So any
 * control plane can evaluate the next sample of a server, also after the one that evaluated the last sample crashed.
 */
export interface ServerProgress {
  lastMs: number | null;
  usedMs: number;
  /** Counts late samples. They are stored in the history but not evaluated, so the rules must be read from there again. */
  lateSamples: number;
  /** The value of `lateSamples` that `rules` include. */
  includedLateSamples: number;
  rules: Map<string, RuleProgress>;
}

/** How long the progress of a server without samples is kept. */
const KEPT_MS = 3_600_000;

export interface ProgressCache {
  /** Returns the progress of the server, an empty one at first. */
  of(serverId: string): ServerProgress;
  known(serverId: string): ServerProgress | null;
  invalidate(serverId: string): void;
  /** Removes servers that no longer send samples. */
  prune(): void;
}

export function createProgressCache(clock: Pick<Clock, 'monotonic'>): ProgressCache {
  const servers = new Map<string, ServerProgress>();
  return {
    of(serverId) {
      const known = servers.get(serverId);
      if (known !== undefined) return known;
      const usedMs = clock.monotonic();
      const fresh = { lastMs: null, usedMs, lateSamples: 0, includedLateSamples: 0, rules: new Map() };
      servers.set(serverId, fresh);
      return fresh;
    },
    known: (serverId) => servers.get(serverId) ?? null,
    invalidate: (serverId) => void servers.delete(serverId),
    prune() {
      for (const [id, { usedMs }] of servers) if (clock.monotonic() - usedMs > KEPT_MS) servers.delete(id);
    },
  };
}
