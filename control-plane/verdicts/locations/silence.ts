import type { LocationPresence } from '../../nodes/nodes.js';

/** A location without a connected probe is silent after this time: longer than a reconnect or a deployment takes. */
const SILENT_AFTER_MS = 30_000;

/**
 * Whether operators should be notified of a location. Pure. A location that never had a probe is not set up, and a
 * location without monitors affects no user.
 */
export function isSilent(
  presence: Pick<LocationPresence, 'connectedProbes' | 'lastConnectedAtMs'>,
  monitors: number,
  nowMs: number,
): boolean {
  if (presence.connectedProbes > 0 || presence.lastConnectedAtMs === null || monitors === 0) return false;
  return nowMs - presence.lastConnectedAtMs >= SILENT_AFTER_MS;
}
