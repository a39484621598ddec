import type { PlanName } from '../../plans/plans.js';
import { hoursExpireAt, minutesExpireAt, rawExpiresAt } from '../../retention/retention.js';
import { decodeSamples, type SampleDecoder } from '../samples/decode.js';
import type { SamplesStore } from '../samples/store.js';
import type { ServerIdentity } from '../servers.js';
import { blockOfSamples, foldBlock, mergeBlocks } from './series-block.js';
import type { MetricsStore } from './store.js';

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** A concurrent pack job writes the same hour only for a moment. */
const ATTEMPTS_MAX = 5;

/** How many samples were packed, and how many were deleted because they cannot be packed. */
export interface PackedCount {
  packed: number;
  dropped: number;
}

export type PackHour = (server: ServerIdentity, hourMs: number, plan: PlanName | null) => Promise<PackedCount>;

interface PackHourNeeds {
  samples: Pick<SamplesStore, 'range' | 'remove'>;
  metrics: Pick<MetricsStore, 'hour' | 'hasMinutes' | 'saveHour' | 'saveMinutes' | 'saveHourOfDay'>;
  decodeSample: SampleDecoder;
}

/**
 * Packs the unpacked samples of one hour together with the packed ones, calculates the minutes and the hour from all of
 * them, and only then deletes the unpacked samples. After a crash at any point, a repetition has the same result. The
 * revision of the packed samples detects concurrent writers: each writes only over the revision that it has read.
 */
export function createPackHour({ samples, metrics, decodeSample }: PackHourNeeds): PackHour {
  /** Resolves to null if a concurrent writer has written the hour. */
  async function attempt(server: ServerIdentity, hourMs: number, plan: PlanName | null): Promise<PackedCount | null> {
    // Read before the packed samples: samples that are packed between the two reads are then seen twice, never lost.
    const unpacked = await samples.range(server, hourMs, hourMs + HOUR_MS);
    if (unpacked.length === 0) return { packed: 0, dropped: 0 };
    // In this order, minutes without packed samples mean that the samples have expired, not a write between the reads.
    const hasMinutes = await metrics.hasMinutes(server, hourMs);
    const before = await metrics.hour(server, hourMs);
    const timesMs = unpacked.map(({ atMs }) => atMs);
    const decoded = decodeSamples(decodeSample, unpacked);
    // Without the other samples of the hour, new minutes would be less accurate than the stored ones.
    const isUnusable = plan === null || decoded.length === 0 || (before === null && hasMinutes);
    if (isUnusable) {
      await samples.remove(server, timesMs);
      return { packed: 0, dropped: unpacked.length };
    }
    const block = mergeBlocks(
      before?.block ?? null,
      blockOfSamples(decoded, () => true),
    );
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
    return { packed: decoded.length, dropped: unpacked.length - decoded.length };
  }

  return async (server, hourMs, plan) => {
    for (let left = ATTEMPTS_MAX; left > 0; left--) {
      const count = await attempt(server, hourMs, plan);
      if (count !== null) return count;
    }
    throw new Error(`${server.serverId}: packing the hour of ${hourMs} failed after ${ATTEMPTS_MAX} write conflicts`);
  };
}
