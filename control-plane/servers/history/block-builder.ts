import type { Sample } from '../samples/decode.js';
import type { BlockLimits } from './hour-limits.js';
import { type SeriesBlock, scaleOf } from './series-block.js';

/** Builds a block from samples, one after another, so that only one sample is decoded at a time. */
export interface BlockBuilder {
  /**
   * Adds a sample that is not older than those before; of samples with the same time, the first one counts. Returns
   * false when the block has no room for it. A new series that no longer fits is left out.
   */
  add(sample: Sample): boolean;
  /** Returns the slots times the series so far. */
  points(): number;
  block(): SeriesBlock;
}

interface GrowingSeries {
  counts: number[];
  sums: number[];
  scale: number;
}

/** The block has one slot for each sample, and the wanted series. */
export function createBlockBuilder(wants: (series: string) => boolean, limits: BlockLimits): BlockBuilder {
  const times: number[] = [];
  const series = new Map<string, GrowingSeries>();

  function seriesOf(name: string): GrowingSeries | null {
    const known = series.get(name);
    if (known !== undefined) return known;
    if (!wants(name) || (series.size + 1) * times.length > limits.points) return null;
    const made = { counts: [], sums: [], scale: scaleOf(name) };
    series.set(name, made);
    return made;
  }

  return {
    add({ atMs, values }) {
      if (times.at(-1) === atMs) return true;
      const slots = times.length + 1;
      if (slots > limits.slots || slots * series.size > limits.points) return false;
      times.push(atMs);
      for (const [name, value] of values) {
        const one = seriesOf(name);
        if (one === null) continue;
        pad(one, slots - 1);
        one.counts.push(1);
        one.sums.push(Math.min(Math.round(value * one.scale), Number.MAX_SAFE_INTEGER));
      }
      return true;
    },
    points: () => times.length * series.size,
    block() {
      for (const one of series.values()) pad(one, times.length);
      const built = [...series].map(
        ([name, { counts, sums }]) => [name, { counts, sums: Float64Array.from(sums) }] as const,
      );
      return { times, counts: times.map(() => 1), series: new Map(built) };
    },
  };
}

/** Fills the slots of samples without a value. */
function pad({ counts, sums }: GrowingSeries, slots: number): void {
  while (counts.length < slots) {
    counts.push(0);
    sums.push(0);
  }
}
