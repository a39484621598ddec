import { metricOfSeries } from '../samples/metrics.js';
import { type BlockLimits, requireWithinLimits } from './hour-limits.js';

/**
 * A period of one server's history. Each slot is a sample, a minute or an hour, and each series has the count and the sum
 * of its values in each slot. Averages are only calculated for display, so that merging slots into coarser ones is exact.
 */
export interface SeriesBlock {
  /** The starts of the slots in epoch milliseconds, ascending and unique. For a sample, the time when it was taken. */
  times: readonly number[];
  /** The number of samples in each slot. */
  counts: readonly number[];
  series: Map<string, Series>;
}

/** A series of a block. Both arrays have one element for each slot of the block. */
export interface Series {
  /** The number of values in each slot. It is the array of the block itself if every sample contains the series. */
  counts: readonly number[];
  /** In units of the last decimal of the metric: 12.34 % is 1,234. */
  sums: Float64Array;
}

const EMPTY: SeriesBlock = { times: [], counts: [], series: new Map() };

/** Returns how many units of the last decimal are one unit of the metric: 100 for a percentage, 1 for bytes. */
export function scaleOf(series: string): number {
  return 10 ** (metricOfSeries(series)?.decimals ?? 0);
}

/**
 * Returns the slots of both blocks; for a time in both, that of `first`. Returns `first` itself if nothing is added.
 * Throws TooLargeError.
 */
export function mergeBlocks(first: SeriesBlock | null, second: SeriesBlock, limits: BlockLimits): SeriesBlock {
  if (first === null || first.times.length === 0) return second;
  const known = new Set(first.times);
  const picks: Pick[] = [];
  for (const [at, time] of second.times.entries()) if (!known.has(time)) picks.push({ block: second, at, time });
  if (picks.length === 0) return first;
  for (const [at, time] of first.times.entries()) picks.push({ block: first, at, time });
  return gather(
    picks.sort((a, b) => a.time - b.time),
    limits,
  );
}

/** Returns `block` with its slots in [fromMs, toMs) replaced by those of `by`. Throws TooLargeError. */
export function replaceSlots(
  block: SeriesBlock | null,
  by: SeriesBlock,
  [fromMs, toMs]: readonly [number, number],
  limits: BlockLimits,
): SeriesBlock {
  const { times } = block ?? EMPTY;
  const picks: Pick[] = by.times.map((time, at) => ({ block: by, at, time }));
  for (const [at, time] of times.entries()) {
    if (block !== null && (time < fromMs || time >= toMs)) picks.push({ block, at, time });
  }
  return gather(
    picks.sort((a, b) => a.time - b.time),
    limits,
  );
}

/** Returns the block with its slots merged into slots of `stepMs`. */
export function foldBlock(block: SeriesBlock, stepMs: number): SeriesBlock {
  const times: number[] = [];
  const target = block.times.map((time) => {
    const startMs = time - (time % stepMs);
    if (times.at(-1) !== startMs) times.push(startMs);
    return times.length - 1;
  });
  const foldCounts = (counts: readonly number[]) => {
    const folded = new Array<number>(times.length).fill(0);
    for (let at = 0; at < target.length; at++) {
      const into = target[at] as number;
      folded[into] = (folded[into] as number) + (counts[at] as number);
    }
    return folded;
  };
  const counts = foldCounts(block.counts);
  const series = new Map<string, Series>();
  for (const [name, one] of block.series) {
    const sums = new Float64Array(times.length);
    for (let at = 0; at < target.length; at++) {
      const into = target[at] as number;
      sums[into] = (sums[into] as number) + (one.sums[at] as number);
    }
    series.set(name, { counts: one.counts === block.counts ? counts : foldCounts(one.counts), sums });
  }
  return { times, counts, series };
}

interface Pick {
  block: SeriesBlock;
  at: number;
  time: number;
}

/**
 * Returns a block of slots from other blocks, in the order of `picks`. The size is checked before anything is copied:
 * many slots with few series and few slots with many series are small, and their product is not.
 */
function gather(picks: readonly Pick[], limits: BlockLimits): SeriesBlock {
  const blocks = new Set(picks.map((pick) => pick.block));
  const names = new Set([...blocks].flatMap((block) => [...block.series.keys()]));
  requireWithinLimits(picks.length, names.size, limits);
  const series = new Map<string, Series>();
  for (const block of blocks) {
    for (const name of block.series.keys()) {
      if (series.has(name)) continue;
      const counts = new Array<number>(picks.length).fill(0);
      const sums = new Float64Array(picks.length);
      for (const [into, pick] of picks.entries()) {
        const from = pick.block.series.get(name);
        if (from === undefined) continue;
        counts[into] = from.counts[pick.at] as number;
        sums[into] = from.sums[pick.at] as number;
      }
      series.set(name, { counts, sums });
    }
  }
  return {
    times: picks.map(({ time }) => time),
    counts: picks.map(({ block, at }) => block.counts[at] as number),
    series,
  };
}
