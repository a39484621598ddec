import type { PlanName } from '../../accounts/plans.js';
import { hoursExpireAt, minutesExpireAt, rawExpiresAt } from '../../retention/retention.js';
import { readSamples, type SampleReader } from '../samples/read-sample.js';
import type { ReportsStore } from '../samples/store.js';
import type { ServerIdentity } from '../servers.js';
import { blockOfSamples, foldBlock, mergeBlocks } from './series-block.js';
import type { MetricsStore } from './store.js';

const MINUTE_MS = 60_000;
export const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Another pack job at work on the same hour is there for a moment only. */
const ATTEMPTS_MAX = 5;

/** How many reports were packed, and how many removed unpacked because they cannot be told any more. */
export interface PackedCount {
  packed: number;
  dropped: number;
}

export type PackHour = (server: ServerIdentity, hourMs: number, plan: PlanName | null) => Promise<PackedCount>;

interface PackHourDependencies {
  reports: Pick<ReportsStore, 'range' | 'remove'>;
  metrics: Pick<MetricsStore, 'hour' | 'hasMinutes' | 'saveHour' | 'saveMinutes' | 'saveHourOfDay'>;
  readSample: SampleReader;
}

/**
 * Packs the waiting reports of one hour together with those that are packed already, makes minutes and the hour of
 * all of them, and only then removes the reports. Cut off anywhere, it is done again from the start with the same
 * outcome. Two at once are told apart by the revision of the packed reports: nobody writes over what he has not read.
 */
export function createPackHour({ reports, metrics, readSample }: PackHourDependencies): PackHour {
  /** null: another has written the hour meanwhile. */
  async function attempt(server: ServerIdentity, hourMs: number, plan: PlanName | null): Promise<PackedCount | null> {
    // Before what is packed: what another packs and removes in between is then seen twice, never not at all.
    const waiting = await reports.range(server, hourMs, hourMs + HOUR_MS);
    if (waiting.length === 0) return { packed: 0, dropped: 0 };
    // In this order: minutes without reports are then of reports that have expired, not of a write in between.
    const hasMinutes = await metrics.hasMinutes(server, hourMs);
    const before = await metrics.hour(server, hourMs);
    const timesMs = waiting.map(({ atMs }) => atMs);
    const samples = readSamples(readSample, waiting);
    // Without the hour's other reports, its minutes could only be made worse; without a workspace nobody can ask.
    const isLost = plan === null || samples.length === 0 || (before === null && hasMinutes);
    if (isLost) {
      await reports.remove(server, timesMs);
      return { packed: 0, dropped: waiting.length };
    }
    const block = mergeBlocks(
      before?.block ?? null,
      blockOfSamples(samples, () => true),
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
    await reports.remove(server, timesMs);
    return { packed: samples.length, dropped: waiting.length - samples.length };
  }

  return async (server, hourMs, plan) => {
    for (let left = ATTEMPTS_MAX; left > 0; left--) {
      const count = await attempt(server, hourMs, plan);
      if (count !== null) return count;
    }
    throw new Error(`${server.serverId}: the hour of ${hourMs} is written by others all the time`);
  };
}
