import { createHash } from 'node:crypto';

/** A sample that is taken at most this late gets the time of its slot. Evenly spaced times compress well. */
const SLOT_LATENESS_MS_MAX = 250;
/** A clock that goes back by less was corrected. If it goes back further, it was set and samples continue from there. */
const STEP_BACK_MS_MIN = 60_000;

/**
 * Returns the offset of this server's slots in the interval. The offsets of all servers are spread evenly, so that
 * thousands of agents that start together do not send their samples together.
 */
export function phaseOf(serverId: string, intervalMs: number): number {
  const hash = createHash('sha256').update(serverId).digest().readUInt32BE(0);
  return Math.floor((hash / 2 ** 32) * intervalMs);
}

/**
 * Returns the timestamp of a sample that was taken at `nowMs` for this slot. Returns null if the sample must be
 * dropped because it would not be newer than the previous one.
 */
export function sampleTime(nowMs: number, slotMs: number, previousMs: number): number | null {
  // A timer may also fire a little early.
  const timeMs = Math.abs(nowMs - slotMs) <= SLOT_LATENESS_MS_MAX ? slotMs : Math.round(nowMs);
  return timeMs > previousMs || previousMs - timeMs >= STEP_BACK_MS_MIN ? timeMs : null;
}
