import type { PlanName } from '../../plans/plans.js';
import { hoursExpireAt, minutesExpireAt, rawExpiresAt } from '../../retention/retention.js';
import type { SampleDecoder } from '../samples/decode.js';
import type { SamplesStore } from '../samples/store.js';
import type { ServerIdentity } from '../servers.js';
import { createBlockBuilder } from './block-builder.js';
import { HOUR_LIMITS } from './hour-limits.js';
import { foldBlock, mergeBlocks, type SeriesBlock } from './series-block.js';
import type { MetricsStore } from './store.js';

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A concurrent pack job writes the same hour only for a moment. */
const ATTEMPTS_MAX = 5;
/** Samples that are read, packed and deleted at once. */
const PORTION_SAMPLES_MAX = 2_000;

/** How many samples were packed, and how many were deleted because they cannot be packed. */
export interface PackedCount {
  packed: number;
  dropped: number;
}

export type PackHour = (server: ServerIdentity, hourMs: number, plan: PlanName | null) => Promise<PackedCount>;

/** The first unpacked samples of an hour. */
interface Portion {
  /** Of all samples, including invalid ones. */
  timesMs: number[];
  block: SeriesBlock;
  /** Whether the hour may have more. */
  hasMore: boolean;
}

interface PackHourNeeds {
  samples: Pick<SamplesStore, 'read' | 'remove'>;
  metrics: Pick<MetricsStore, 'hour' | 'hasMinutes' | 'saveHour' | 'saveMinutes' | 'saveHourOfDay'>;
  decodeSample: SampleDecoder;
}

/**
 * Packs the unpacked samples of one hour together with the packed ones, calculates the minutes and the hour from all of
 * them, and only then deletes the unpacked samples. After a crash at any point, a repetition has the same result. The
 * revision of the packed samples detects concurrent writers: each writes only over the revision that it has read.
 *
 * Throws TooLargeError when the hour exceeds `HOUR_LIMITS`. It never has more than that in memory.
 */
export function createPackHour(needs: PackHourNeeds): PackHour {
  const { samples, metrics } = needs;

  /** Resolves to null if a concurrent writer has written the hour. */
  async function pack(server: ServerIdentity, hourMs: number, plan: PlanName | null, portion: Portion) {
    const { timesMs } = portion;
    // In this order, minutes without packed samples mean that the samples have expired, not a write between the reads.
    const hasMinutes = await metrics.hasMinutes(server, hourMs);
    const before = await metrics.hour(server, hourMs);
    const packed = portion.block.times.length;
    // Without the other samples of the hour, new minutes would be less accurate than the stored ones.
    const isUnusable = plan === null || packed === 0 || (before === null && hasMinutes);
    if (isUnusable) {
      await samples.remove(server, timesMs);
      return { packed: 0, dropped: timesMs.length };
    }
    const block = mergeBlocks(before?.block ?? null, portion.block, HOUR_LIMITS);
    let revision = before?.revision ?? 0;
    if (block !== before?.block) {
      const expiresAt = rawExpiresAt(plan, hourMs + HOUR_MS);
      const saved = await metrics.saveHour({ server, hourMs, block, revision, expiresAt });
      if (saved === null) return null;
      revision = saved;
    }
    const minutes = foldBlock(block, MINUTE_MS);
    const dayMs = hourMs - (hourMs % DAY_MS);
    await Promise.all([
      metrics.saveMinutes({ server, hourMs, block: minutes, revision, expiresAt: minutesExpireAt(plan, hourMs) }),
      metrics.saveHourOfDay({
        ...{ server, hourMs, block: foldBlock(minutes, HOUR_MS), revision },
        expiresAt: hoursExpireAt(plan, dayMs),
      }),
    ]);
    await samples.remove(server, timesMs);
    return { packed, dropped: timesMs.length - packed };
  }

  return async (server, hourMs, plan) => {
    const total: PackedCount = { packed: 0, dropped: 0 };
    for (let left = ATTEMPTS_MAX; left > 0; ) {
      // Read before the packed samples: samples that are packed between the two reads are then seen twice, never lost.
      const portion = await readPortion(needs, server, hourMs);
      if (portion.timesMs.length === 0) return total;
      const count = await pack(server, hourMs, plan, portion);
      left = count === null ? left - 1 : ATTEMPTS_MAX;
      total.packed += count?.packed ?? 0;
      total.dropped += count?.dropped ?? 0;
      if (count !== null && !portion.hasMore) return total;
    }
    throw new Error(`${server.serverId}: packing the hour of ${hourMs} failed after ${ATTEMPTS_MAX} write conflicts`);
  };
}

async function readPortion(
  { samples, decodeSample }: Pick<PackHourNeeds, 'samples' | 'decodeSample'>,
  server: ServerIdentity,
  hourMs: number,
): Promise<Portion> {
  const timesMs: number[] = [];
  const builder = createBlockBuilder(() => true, HOUR_LIMITS);
  for await (const stored of samples.read(server, hourMs, hourMs + HOUR_MS)) {
    for (const one of stored) {
      const sample = decodeSample(one);
      const hasRoom = timesMs.length < PORTION_SAMPLES_MAX && (sample === null || builder.add(sample));
      if (!hasRoom) return { timesMs, block: builder.block(), hasMore: true };
      timesMs.push(one.atMs);
    }
  }
  return { timesMs, block: builder.block(), hasMore: false };
}
