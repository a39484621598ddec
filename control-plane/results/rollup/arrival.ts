/**
 * When the database stored a result, by the clock that the replica set shares: seconds since the Unix epoch in the upper
 * 32 bits, and a number within the second in the lower ones. Each result has another one. No clock of a control plane
 * is part of it, so a control plane whose clock is wrong hides no result from the roll-up.
 */
export type Arrival = bigint;

/** Before every result. */
export const NO_ARRIVAL: Arrival = 0n;

const SECOND_BITS = 32n;
const MS_PER_SECOND = 1_000;

/** Returns the arrival this many seconds before another. */
export function secondsBefore(arrival: Arrival, seconds: number): Arrival {
  const before = arrival - (BigInt(seconds) << SECOND_BITS);
  return before > NO_ARRIVAL ? before : NO_ARRIVAL;
}

/** Returns the start of its second, in milliseconds since the Unix epoch. */
export function arrivalMs(arrival: Arrival): number {
  return Number(arrival >> SECOND_BITS) * MS_PER_SECOND;
}
