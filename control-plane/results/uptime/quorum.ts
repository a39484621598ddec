/** With this many locations assigned, one location alone never decides by default. */
const AGREEING_MIN = 2;

/**
 * How many locations have to vote down before a monitor is down. `assigned`: locations of the monitor. `valid`:
 * those whose vote counts at this moment. `confirmations`: the monitor's own setting; null asks for a majority of
 * the valid votes, and for two at least where two are assigned.
 *
 * The result may exceed `valid`: then nothing is decided and the status stays as it is. A setting above the number
 * of locations is taken as "all of them", so that a monitor which lost a location can still go down.
 */
export function requiredDownVotes(assigned: number, valid: number, confirmations: number | null): number {
  if (confirmations !== null) return Math.max(1, Math.min(confirmations, assigned));
  const majority = Math.floor(valid / 2) + 1;
  return Math.max(majority, Math.min(AGREEING_MIN, assigned));
}
