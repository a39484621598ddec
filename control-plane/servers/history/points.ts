import { type SeriesBlock, scaleOf } from './series-block.js';

/**
 * Returns the points of each series: the average of each slot that starts in [fromMs, toMs), in order. Slots without a
 * value of the series are omitted. `pointOf` is called once for each block, to prepare what all its series share.
 */
export function pointsOf<Point>(
  blocks: readonly SeriesBlock[],
  fromMs: number,
  toMs: number,
  pointOf: (block: SeriesBlock) => (slot: number, value: number) => Point,
): Map<string, Point[]> {
  const found = new Map<string, Point[]>();
  for (const block of blocks) {
    const { times } = block;
    let first = 0;
    while (first < times.length && (times[first] as number) < fromMs) first++;
    let end = times.length;
    while (end > first && (times[end - 1] as number) >= toMs) end--;
    if (first === end) continue;
    const point = pointOf(block);
    for (const [name, { counts, sums }] of block.series) {
      const scale = scaleOf(name);
      const points = found.get(name) ?? [];
      found.set(name, points);
      for (let slot = first; slot < end; slot++) {
        const count = counts[slot] as number;
        if (count > 0) points.push(point(slot, Math.round((sums[slot] as number) / count) / scale));
      }
    }
  }
  return found;
}
