import type { Clock } from '../../../kernel/clock.js';

/** A node rotates its credential every 30 days, and again after each lost response. */
const ROTATIONS_PER_HOUR_MAX = 10;
const HOUR_MS = 3_600_000;
const NODES_MAX = 10_000;

/**
 * Returns a function that counts a rotation of a node and returns whether it is allowed. Each rotation writes an audit
 * entry, so a node must not be able to rotate without end. Counts on this control plane only.
 */
export function createRotationLimit(clock: Clock): (nodeId: string) => boolean {
  const windows = new Map<string, { sinceMs: number; rotations: number }>();
  return (nodeId) => {
    const nowMs = clock.monotonic();
    const found = windows.get(nodeId);
    const window = found !== undefined && nowMs - found.sinceMs < HOUR_MS ? found : { sinceMs: nowMs, rotations: 0 };
    if (windows.size >= NODES_MAX && found === undefined) windows.clear();
    windows.set(nodeId, window);
    window.rotations += 1;
    return window.rotations <= ROTATIONS_PER_HOUR_MAX;
  };
}
