import { setImmediate as yieldToEventLoop } from 'node:timers/promises';
import { bucketMs, type Resolution } from '../../retention/resolution.js';
import type { SampleDecoder } from '../samples/decode.js';
import type { SamplesStore } from '../samples/store.js';
import { type BlockBuilder, createBlockBuilder } from './block-builder.js';
import { type BlockLimits, DAY_LIMITS, HOUR_LIMITS, TooLargeError } from './hour-limits.js';
import type { BlockRange } from './read-store.js';
import { foldBlock, mergeBlocks, replaceSlots, type SeriesBlock } from './series-block.js';
import type { MetricsStore } from './store.js';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A sample can have 600 values, and decoding one takes up to a third of a millisecond. */
const SAMPLES_PER_YIELD = 50;
/**
 * The unpacked samples of a request, over all hours: more than an agent delivers with the most values in each sample until
 * the pack job has packed them. They take 128 MiB.
 */
const UNPACKED_POINTS_MAX = 8_000_000;

export interface HistoryRequest extends BlockRange {
  resolution: Resolution;
  /** The limit for the points of all series together; `Infinity` for no limit. */
  pointsMax: number;
}

/**
 * Returns the history of one server as blocks in time order, with slots of the requested resolution. The first and the
 * last block can extend beyond the range. Resolves to null if the blocks have more than `pointsMax` points, or the samples
 * that are not packed yet too many.
 */
export type HistoryReader = (request: HistoryRequest) => Promise<SeriesBlock[] | null>;

interface HistoryNeeds {
  samples: Pick<SamplesStore, 'read'>;
  metrics: Pick<MetricsStore, 'rawHours' | 'rawHoursAt' | 'minuteHours' | 'hourDays'>;
  decodeSample: SampleDecoder;
}

/**
 * Reads unpacked samples first and packed documents after them: a sample that is packed between the two reads is in both
 * and counts once, and no sample is missed. Hours without unpacked samples come from the roll-ups.
 */
export function createHistoryReader({ samples, metrics, decodeSample }: HistoryNeeds): HistoryReader {
  /** Returns the packed samples of these hours, by hour. */
  async function packedSamples(range: BlockRange, hoursMs: readonly number[]): Promise<Map<number, SeriesBlock>> {
    const packed = new Map<number, SeriesBlock>();
    if (hoursMs.length === 0) return packed;
    for await (const block of metrics.rawHoursAt(range, hoursMs)) packed.set(startOf(block, HOUR_MS), block);
    return packed;
  }

  /** Returns the slots of the roll-up. Hours with unpacked samples are calculated again from all their samples. */
  async function* rolledBlocks(range: BlockRange, unpacked: Map<number, SeriesBlock>, stepMs: number) {
    const isHours = stepMs === HOUR_MS;
    const documentMs = isHours ? DAY_MS : HOUR_MS;
    // Read at the same time as the roll-ups, so either may be newer. Missing hours are read again below.
    const reading = packedSamples(range, [...unpacked.keys()]);
    // If the caller stops early, nothing awaits this promise.
    reading.catch(() => undefined);
    for await (const rolled of isHours ? metrics.hourDays(range) : metrics.minuteHours(range)) {
      const startMs = startOf(rolled, documentMs);
      let block = rolled;
      for (const [hourMs, hourSamples] of unpacked) {
        if (hourMs < startMs || hourMs >= startMs + documentMs) continue;
        const isRolled = rolled.times.some((time) => time >= hourMs && time < hourMs + HOUR_MS);
        // Rolled up, but not packed: either packed between the two reads, or the packed samples have expired.
        const before =
          (await reading).get(hourMs) ?? (isRolled ? (await packedSamples(range, [hourMs])).get(hourMs) : undefined);
        unpacked.delete(hourMs);
        // The roll-up contains more samples than the unpacked ones.
        if (isRolled && before === undefined) continue;
        const hour = foldBlock(mergeOrFirst(before, hourSamples), isHours ? HOUR_MS : MINUTE_MS);
        block = replaceOrKeep(block, hour, hourMs, isHours ? DAY_LIMITS : HOUR_LIMITS);
      }
      yield isHours || stepMs === MINUTE_MS ? block : foldBlock(block, stepMs);
    }
    for (const [hourMs, hourSamples] of unpacked) {
      yield foldBlock(mergeOrFirst((await reading).get(hourMs), hourSamples), stepMs);
    }
  }

  return async (request) => {
    const stepMs = bucketMs(request.resolution);
    // Complete buckets, so that the first and the last one are averages of all their samples.
    const range = {
      ...request,
      fromMs: request.fromMs - (request.fromMs % (stepMs ?? 1)),
      toMs: Math.ceil(request.toMs / (stepMs ?? 1)) * (stepMs ?? 1),
    };
    const unpacked = await unpackedHours(samples, decodeSample, range);
    if (unpacked === null) return null;
    const found = stepMs === null ? rawBlocks(metrics, range, unpacked) : rolledBlocks(range, unpacked, stepMs);
    const blocks: SeriesBlock[] = [];
    let points = 0;
    for await (const block of found) {
      points += block.times.length * block.series.size;
      if (points > request.pointsMax) return null;
      blocks.push(block);
    }
    return blocks.sort((a, b) => (a.times[0] ?? 0) - (b.times[0] ?? 0));
  };
}

/** Returns the samples of each hour, packed and unpacked. */
async function* rawBlocks(metrics: HistoryNeeds['metrics'], range: BlockRange, unpacked: Map<number, SeriesBlock>) {
  for await (const packed of metrics.rawHours(range)) {
    const hourMs = startOf(packed, HOUR_MS);
    const more = unpacked.get(hourMs);
    unpacked.delete(hourMs);
    yield more === undefined ? packed : mergeOrFirst(packed, more);
  }
  yield* unpacked.values();
}

/** Returns all samples of an hour; when they are too large to be packed, the packed ones, which arrived first. */
function mergeOrFirst(packed: SeriesBlock | undefined, unpacked: SeriesBlock): SeriesBlock {
  return unlessTooLarge(packed ?? unpacked, () => mergeBlocks(packed ?? null, unpacked, HOUR_LIMITS));
}

/** Returns the rolled-up block with an hour in its place; when that is too large to be stored, the block as it is. */
function replaceOrKeep(rolled: SeriesBlock, hour: SeriesBlock, hourMs: number, limits: BlockLimits): SeriesBlock {
  return unlessTooLarge(rolled, () => replaceSlots(rolled, hour, [hourMs, hourMs + HOUR_MS], limits));
}

function unlessTooLarge(otherwise: SeriesBlock, make: () => SeriesBlock): SeriesBlock {
  try {
    return make();
  } catch (error) {
    if (error instanceof TooLargeError) return otherwise;
    throw error;
  }
}

/** Returns the start of the document that contains the first slot. Every block has at least one slot. */
function startOf(block: SeriesBlock, documentMs: number): number {
  const firstMs = block.times[0] ?? 0;
  return firstMs - (firstMs % documentMs);
}

/**
 * Returns the unpacked samples of each hour; null if they have more than `UNPACKED_POINTS_MAX` points. Of an hour that is
 * too large to be packed, only the first samples are returned.
 */
async function unpackedHours(
  samples: HistoryNeeds['samples'],
  decodeSample: SampleDecoder,
  range: BlockRange,
): Promise<Map<number, SeriesBlock> | null> {
  const hours = new Map<number, BlockBuilder>();
  /** Of the hours before the newest one. */
  let points = 0;
  for await (const stored of samples.read(range, range.fromMs, range.toMs)) {
    for (const [index, one] of stored.entries()) {
      if (index % SAMPLES_PER_YIELD === 0) await yieldToEventLoop();
      const sample = decodeSample(one);
      if (sample === null) continue;
      const hourMs = sample.atMs - (sample.atMs % HOUR_MS);
      if (!hours.has(hourMs)) {
        points += [...hours.values()].at(-1)?.points() ?? 0;
        hours.set(hourMs, createBlockBuilder(range.wants, HOUR_LIMITS));
      }
      const hour = hours.get(hourMs);
      hour?.add(sample);
      if (points + (hour?.points() ?? 0) > UNPACKED_POINTS_MAX) return null;
    }
  }
  return new Map([...hours].map(([hourMs, hour]) => [hourMs, hour.block()]));
}
