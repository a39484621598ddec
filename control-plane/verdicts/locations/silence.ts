import type { LocationPresence } from '../../nodes/nodes.js';

/** A location without a connected probe is silent after this time: longer than a reconnect or a deployment takes. */
export const SILENT_AFTER_MS = 30_000;

/** Whether the location can check, or its last probe was connected so recently that it may only be reconnecting. */
export function isPresent(
  { checkingProbes, lastCheckingAtMs }: Pick<LocationPresence, 'checkingProbes' | 'lastCheckingAtMs'>,
  nowMs: number,
): boolean {
  return checkingProbes > 0 || (lastCheckingAtMs !== null && nowMs - lastCheckingAtMs < SILENT_AFTER_MS);
}

/**
 * Whether operators should be notified of a location. Pure. A location that never had a probe is not set up, and a
 * location without monitors affects no user.
 */
export function isSilent(
  presence: Pick<LocationPresence, 'checkingProbes' | 'lastCheckingAtMs'>,
  monitors: number,
  nowMs: number,
): boolean {
  if (presence.lastCheckingAtMs === null || monitors === 0) return false;
  return !isPresent(presence, nowMs);
}
