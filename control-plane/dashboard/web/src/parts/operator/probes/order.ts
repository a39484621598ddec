import type { Probe } from '../../../api/types.ts';

/** The mark of each state of a probe, in the order of the list: worst first. */
export const PROBE_MARKS = {
  disconnected: 'down',
  connected: 'up',
  drained: 'paused',
  revoked: 'unknown',
} as const satisfies Record<Probe['state'], string>;

const ORDER = Object.keys(PROBE_MARKS);

/** Results that waited less are on their way. */
const LATE_MS = 10_000;

/** Returns whether a probe has results that should have been delivered by now. Pure. */
export function isLate({ spool_records, lag_ms }: Pick<Probe, 'spool_records' | 'lag_ms'>): boolean {
  return (spool_records ?? 0) > 0 && (lag_ms ?? 0) >= LATE_MS;
}

/** Returns the probes with the worst first: those out of contact, then those with a backlog or losses. Pure. */
export function inOrder(probes: readonly Probe[]): Probe[] {
  const rank = (probe: Probe) => {
    const { state, canary_ok, dropped_total } = probe;
    const troubles = [canary_ok === false, (dropped_total ?? 0) > 0, isLate(probe)];
    const worst = troubles.indexOf(true);
    return ORDER.indexOf(state) * (troubles.length + 1) + (worst === -1 ? troubles.length : worst);
  };
  return probes.toSorted((one, other) => rank(one) - rank(other));
}
