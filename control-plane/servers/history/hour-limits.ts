/** How large a block may become. */
export interface BlockLimits {
  slots: number;
  /** Slots times series: memory is needed for each, even where a sample has no value. */
  points: number;
}

/**
 * The largest hour of one server that is packed and read: twice the samples of the shortest interval, and more points
 * than such an hour with the most values in each sample has (2.2 million). Its block takes 64 MiB.
 */
export const HOUR_LIMITS: BlockLimits = { slots: 7_200, points: 4_000_000 };

/** The largest day: its hours, with as many series as the hour with the most of them has (49,000). */
export const DAY_LIMITS: BlockLimits = { slots: 24, points: 1_200_000 };

/**
 * MongoDB stores at most 16 MiB in a document. An hour within `HOUR_LIMITS` can exceed this, because a value takes up to
 * eight bytes.
 */
export const PACKED_BYTES_MAX = 15 * 1_048_576;

/** An hour or a day of one server is larger than what is stored. No later attempt would succeed. */
export class TooLargeError extends Error {}

/** Throws TooLargeError for a block of this size. */
export function requireWithinLimits(slots: number, series: number, limits: BlockLimits): void {
  if (slots <= limits.slots && slots * series <= limits.points) return;
  throw new TooLargeError(`a block has ${slots} slots and ${series} series, which is too much to pack`);
}
