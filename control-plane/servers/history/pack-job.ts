import type { PlanName } from '../../plans/plans.js';
import {
  createLeasedPeriodicTask,
  type LeasedPeriodicTask,
  type LeasedPeriodicTaskNeeds,
  type TaskLease,
} from '../../storage/leases/leased-periodic-task.js';
import { isDatabaseUnavailable } from '../../storage/unavailable.js';
import type { ServerMetrics } from '../metrics.js';
import type { SampleDecoder } from '../samples/decode.js';
import type { SamplesStore } from '../samples/store.js';
import type { ServerIdentity } from '../servers.js';
import { afterServer, historyId } from './document-id.js';
import { TooLargeError } from './hour-limits.js';
import { createPackHour, HOUR_MS } from './pack-hour.js';
import type { SetAsideReason, SetAsideStore } from './set-aside-store.js';
import type { MetricsStore } from './store.js';

/** Readers include unpacked samples, so a longer period only needs more storage. */
const PACK_PERIOD_MS = 300_000;
const FIRST_RUN_MS = 10_000;
/** An hour is packed this long after its end, when the samples of agents without a backlog have arrived. */
const PACK_DELAY_MS = 180_000;
const LEASE_MS = 60_000;
/** After this many failures, an hour is set aside. Failures of the database do not count. */
const FAILURES_MAX = 5;
/**
 * The job pauses after each hour for as long as it took, so that packing thousands of servers uses at most half of the
 * CPU time.
 */
const PAUSE_MS_MAX = 1_000;

/** The totals of one run. */
export interface PackTotals {
  hours: number;
  samples: number;
  /** Samples that were deleted unpacked: invalid, or of an hour whose other samples have expired. */
  dropped: number;
  /** Hours that could not be packed. The next run retries them. */
  failed: number;
  /** Hours that are no longer tried. */
  setAside: number;
}

/** Each run packs all hours that are over. */
export type PackJob = LeasedPeriodicTask<PackTotals>;

interface PackJobNeeds extends LeasedPeriodicTaskNeeds {
  samples: Pick<SamplesStore, 'read' | 'remove' | 'firstFrom'>;
  metrics: Pick<MetricsStore, 'hour' | 'hasMinutes' | 'saveHour' | 'saveMinutes' | 'saveHourOfDay'>;
  setAside: SetAsideStore;
  counts: Pick<ServerMetrics, 'hourSetAside'>;
  decodeSample: SampleDecoder;
  plans: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
}

/** Packs the hours that are over, one server after another. The lease only saves work; revisions protect the data. */
export function createPackJob(needs: PackJobNeeds): PackJob {
  const { samples, plans, clock, logger } = needs;
  const packOne = createPackOne(needs);

  async function packDue({ stillHeld, stopping }: TaskLease, nowMs: number): Promise<PackTotals> {
    const totals: PackTotals = { hours: 0, samples: 0, dropped: 0, failed: 0, setAside: 0 };
    const planOf = new Map<string, PlanName | null>();
    let from = '';
    while (await stillHeld()) {
      const first = await samples.firstFrom(from);
      if (first === null) break;
      const hourMs = first.atMs - (first.atMs % HOUR_MS);
      const isOver = hourMs + HOUR_MS + PACK_DELAY_MS <= nowMs;
      // If this hour is not over, the later hours of the server are not over either.
      from = isOver ? historyId(first.serverId, hourMs + HOUR_MS) : afterServer(first.serverId);
      const startedMs = clock.monotonic();
      if (!isOver) continue;
      if (!planOf.has(first.workspaceId)) {
        planOf.set(first.workspaceId, (await plans.plans([first.workspaceId])).get(first.workspaceId) ?? null);
      }
      await packOne(first, hourMs, planOf.get(first.workspaceId) ?? null, totals);
      await clock.sleep(Math.min(clock.monotonic() - startedMs, PAUSE_MS_MAX), stopping);
    }
    logger.debug(totals, 'packed samples');
    return totals;
  }

  return createLeasedPeriodicTask(needs, {
    name: 'server-pack',
    firstMs: FIRST_RUN_MS,
    periodMs: PACK_PERIOD_MS,
    leaseMs: LEASE_MS,
    failure: 'packing samples failed, retrying with the next run',
    failureLevel: 'error',
    work: packDue,
  });
}

/** Returns a function that packs one hour. A failure is logged and counted, so that it does not stop the other hours. */
function createPackOne(needs: PackJobNeeds) {
  const { setAside, counts, logger } = needs;
  const packHour = createPackHour(needs);

  /** Returns why the hour must be set aside; null when the next run retries it. */
  async function whyNever(server: ServerIdentity, hourMs: number, error: unknown): Promise<SetAsideReason | null> {
    if (error instanceof TooLargeError) return 'too_large';
    if (isDatabaseUnavailable(error)) return null;
    return (await setAside.failed(server, hourMs, String(error))) >= FAILURES_MAX ? 'failed' : null;
  }

  async function handleFailure(server: ServerIdentity, hourMs: number, error: unknown): Promise<SetAsideReason | null> {
    const reason = await whyNever(server, hourMs, error);
    const about = { err: error, server: server.serverId, hourMs };
    if (reason === null) {
      logger.error(about, 'packing an hour of samples failed, retrying with the next run');
      return null;
    }
    await setAside.setAside(server, hourMs, { reason, error: String(error) });
    counts.hourSetAside(reason);
    logger.error({ ...about, reason }, 'an hour of samples cannot be packed and was set aside for seven days');
    return reason;
  }

  return async (server: ServerIdentity, hourMs: number, plan: PlanName | null, totals: PackTotals): Promise<void> => {
    const { serverId } = server;
    try {
      if (await setAside.isSetAside(server, hourMs)) {
        totals.dropped += await setAside.removeLate(server, hourMs);
        return;
      }
      const { packed, dropped } = await packHour(server, hourMs, plan);
      totals.hours++;
      totals.samples += packed;
      totals.dropped += dropped;
      if (dropped > 0) logger.warn({ server: serverId, hourMs, dropped }, 'deleted samples that cannot be packed');
    } catch (error) {
      totals.failed++;
      if ((await handleFailure(server, hourMs, error)) !== null) totals.setAside++;
    }
  };
}
