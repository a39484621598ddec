import type { LocationPresence } from '../../nodes/nodes.js';

/** Why no probe of a location can check. */
export type SilenceCause = 'disconnected' | 'drained' | 'no_probe';

/** A location that monitors are assigned to, and no probe that may check them. */
export interface Silence {
  cause: SilenceCause;
  /** The time of the last probe; if the database does not have it, when this control plane noticed. */
  sinceMs: number;
}

/**
 * Returns the silence of a location after `before`, its silence at the last look; null when it can check, or if no
 * monitor is assigned to it. Pure.
 */
export function silenceOf(
  before: Silence | null,
  presence: Pick<LocationPresence, 'connectedProbes' | 'checkingProbes' | 'lastCheckingAtMs'>,
  monitors: number,
  nowMs: number,
): Silence | null {
  if (presence.checkingProbes > 0 || monitors === 0) return null;
  const { connectedProbes, lastCheckingAtMs } = presence;
  const cause = connectedProbes > 0 ? 'drained' : lastCheckingAtMs === null ? 'no_probe' : 'disconnected';
  return { cause, sinceMs: before?.sinceMs ?? lastCheckingAtMs ?? nowMs };
}
