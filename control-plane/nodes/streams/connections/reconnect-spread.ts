/** The handshakes of a connection and its admission cost a control plane up to 10 ms of one processor core. */
const AGENT_MS = 10;
const SPREAD_MS_MAX = 30_000;

/**
 * Returns the time over which this many agents are to return after they lost their connections together. Probes have no
 * spread: there are few of them, and without them no monitor has enough votes.
 */
export function reconnectSpreadMs(agents: number): number {
  return Math.min(SPREAD_MS_MAX, agents * AGENT_MS);
}
