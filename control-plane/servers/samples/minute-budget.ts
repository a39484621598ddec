import type { Clock } from '../../../kernel/clock.js';

const MINUTE_MS = 60_000;
/** Twice those of the shortest interval, because unacknowledged samples are sent again. */
const SAMPLES_MAX = 120;
/** Samples of the shortest interval with the most values have half of it. */
const BYTES_MAX = 2 * 1_048_576;
/** The minutes of one server that are counted: more than those of an hour, which is packed as a whole. */
const MINUTES_MAX = 64;
const PRUNE_MS = 600_000;

interface Used {
  samples: number;
  bytes: number;
}

/** Limits the samples that a server has in one minute of its history, and their bytes. */
export interface MinuteBudget {
  /** Returns false when the minute of the sample has no room left. */
  take(serverId: string, atMs: number, bytes: number): boolean;
  /** Undoes `take` for a sample that was not stored and will be sent again. */
  giveBack(serverId: string, atMs: number, bytes: number): void;
}

export function createMinuteBudget(clock: Pick<Clock, 'monotonic'>): MinuteBudget {
  const servers = new Map<string, { minutes: Map<number, Used>; usedMs: number }>();
  let prunedMs = clock.monotonic();

  function minutesOf(serverId: string): Map<number, Used> {
    const nowMs = clock.monotonic();
    if (nowMs - prunedMs >= PRUNE_MS) {
      prunedMs = nowMs;
      for (const [id, { usedMs }] of servers) if (nowMs - usedMs >= PRUNE_MS) servers.delete(id);
    }
    const known = servers.get(serverId) ?? { minutes: new Map<number, Used>(), usedMs: nowMs };
    known.usedMs = nowMs;
    servers.set(serverId, known);
    return known.minutes;
  }

  return {
    take(serverId, atMs, bytes) {
      const minutes = minutesOf(serverId);
      const minute = Math.floor(atMs / MINUTE_MS);
      let used = minutes.get(minute);
      if (used === undefined) {
        used = { samples: 0, bytes: 0 };
        minutes.set(minute, used);
        // A map keeps the order of insertion, so the first one was begun first.
        if (minutes.size > MINUTES_MAX) minutes.delete(minutes.keys().next().value as number);
      }
      if (used.samples >= SAMPLES_MAX || used.bytes + bytes > BYTES_MAX) return false;
      used.samples += 1;
      used.bytes += bytes;
      return true;
    },
    giveBack(serverId, atMs, bytes) {
      const used = servers.get(serverId)?.minutes.get(Math.floor(atMs / MINUTE_MS));
      if (used === undefined) return;
      used.samples -= 1;
      used.bytes -= bytes;
    },
  };
}
