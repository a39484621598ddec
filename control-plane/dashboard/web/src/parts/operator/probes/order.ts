import type { Probe } from '../../../api/types.ts';

/** The mark of each state of a probe, in the order of the list: worst first. */
export const PROBE_MARKS = {
  disconnected: 'down',
  connected: 'up',
  drained: 'paused',
  revoked: 'unknown',
} as const satisfies Record<Probe['state'], string>;

const ORDER = Object.keys(PROBE_MARKS);

/** Returns the probes with the worst first: those out of contact, then those with a backlog or losses. Pure. */
export function inOrder(probes: readonly Probe[]): Probe[] {
  const rank = ({ state, canary_ok, spool_records, dropped_total }: Probe) => {
    const troubles = [canary_ok === false, (dropped_total ?? 0) > 0, (spool_records ?? 0) > 0];
    const worst = troubles.indexOf(true);
    return ORDER.indexOf(state) * (troubles.length + 1) + (worst === -1 ? troubles.length : worst);
  };
  return probes.toSorted((one, other) => rank(one) - rank(other));
}
