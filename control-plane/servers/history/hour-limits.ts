import type { BlockLimits } from './block-builder.js';
import type { SeriesBlock } from './series-block.js';

/**
 * The largest hour of one server that is packed and read: twice the samples of the shortest interval, and more points
 * than such an hour with the most values in each sample has (2.2 million). Its block takes 64 MiB.
 */
export const HOUR_LIMITS: BlockLimits = { slots: 7_200, points: 4_000_000 };

/** MongoDB stores at most 16 MiB in a document. */
export const PACKED_BYTES_MAX = 15 * 1_048_576;

/** An hour or a day of one server is larger than what is stored. No later attempt would succeed. */
export class TooLargeError extends Error {}

/** Throws TooLargeError. */
export function requireWithinLimits({ times, series }: SeriesBlock): void {
  const points = times.length * series.size;
  if (times.length <= HOUR_LIMITS.slots && points <= HOUR_LIMITS.points) return;
  throw new TooLargeError(`an hour has ${times.length} samples and ${series.size} series, which is too much to pack`);
}
