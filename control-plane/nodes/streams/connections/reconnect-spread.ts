/** A control plane admits more than 300 agents a second. */
const AGENT_MS = 3;
const SPREAD_MS_MAX = 30_000;

/**
 * Returns the time over which this many agents are to return after they lost their connections together. Probes have no
 * spread: there are few of them, and without them no monitor has enough votes.
 */
export function reconnectSpreadMs(agents: number): number {
  return Math.min(SPREAD_MS_MAX, agents * AGENT_MS);
}
