/** If a monitor has at least this many locations, one location alone does not decide by default. */
const AGREEING_MIN = 2;

/**
 * Returns how many locations must vote down before a monitor is down. `assigned` is the number of its locations,
 * `valid` the number of votes that count now, `confirmations` its own setting. Without a setting it is a majority of
 * the valid votes, and at least two if the monitor has two locations.
 *
 * The result may exceed `valid`. Then nothing is decided and the status stays. A setting above the number of
 * locations means all of them, so that a monitor whose location was removed can still go down.
 */
export function requiredDownVotes(assigned: number, valid: number, confirmations: number | null): number {
  if (confirmations !== null) return Math.max(1, Math.min(confirmations, assigned));
  const majority = Math.floor(valid / 2) + 1;
  return Math.max(majority, Math.min(AGREEING_MIN, assigned));
}

/**
 * Returns the broken locations if they are fewer than half of all, else none: a majority that looks broken cannot be
 * told from a broken minority that sees the others fail, and without its votes Picket would be blind. `present` are the
 * locations that could vote; broken ones count as present.
 */
export function minorityOf(broken: readonly string[], present: readonly string[]): ReadonlySet<string> {
  const all = new Set([...broken, ...present]);
  return new Set(2 * broken.length < all.size ? broken : []);
}
