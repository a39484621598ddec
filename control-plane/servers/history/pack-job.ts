import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import { createRounds } from '../../../kernel/rounds.js';
import type { PlanName } from '../../accounts/plans.js';
import type { LeaseStore } from '../../storage/lease-store.js';
import type { SampleReader } from '../samples/read-sample.js';
import type { ReportsStore } from '../samples/store.js';
import { afterServer, historyId } from './document-id.js';
import { createPackHour, HOUR_MS } from './pack-hour.js';
import type { MetricsStore } from './store.js';

/** Readers take what waits into account, so a longer pause costs nobody anything but room. */
const PACK_PERIOD_MS = 300_000;
const FIRST_RUN_MS = 10_000;
/** An hour is packed this long after its end: the reports of agents that are not behind have arrived by then. */
export const SETTLE_MS = 180_000;
const LEASE = 'server-pack';
const LEASE_MS = 60_000;
/** After each hour it rests as long as the hour took, so that a full hour of thousands of servers leaves half of everything free. */
const REST_MS_MAX = 1_000;

/** What one pass did. */
export interface PackReport {
  hours: number;
  reports: number;
  /** Reports that were removed unpacked: not readable, or of an hour whose other reports have expired. */
  dropped: number;
  /** Hours that could not be packed; the next pass tries again. */
  failed: number;
}

export interface PackJob {
  start(): void;
  /** Packs every hour that is over at `nowMs`; null when another control plane holds the lease. */
  runDue(nowMs: number): Promise<PackReport | null>;
  /** Resolves when a pass that runs has come to the end of its hour. */
  stop(): Promise<void>;
}

interface PackJobDependencies {
  reports: Pick<ReportsStore, 'range' | 'remove' | 'firstFrom'>;
  metrics: Pick<MetricsStore, 'hour' | 'hasMinutes' | 'saveHour' | 'saveMinutes' | 'saveHourOfDay'>;
  readSample: SampleReader;
  plans: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
  leases: LeaseStore;
  /** Names this process among the holders of leases; another one each time it starts. */
  owner: string;
  clock: Clock;
  logger: Logger;
}

/** Packs the hours that are over, one server after the other. The lease saves work; the revisions guard it. */
export function createPackJob(dependencies: PackJobDependencies): PackJob {
  const { reports, plans, leases, owner, clock, logger } = dependencies;
  const packHour = createPackHour(dependencies);
  const stopping = new AbortController();

  async function runDue(nowMs: number): Promise<PackReport | null> {
    if ((await leases.acquire(LEASE, owner, LEASE_MS)) === null) return null;
    const report: PackReport = { hours: 0, reports: 0, dropped: 0, failed: 0 };
    const planOf = new Map<string, PlanName | null>();
    let leasedAtMs = clock.monotonic();
    let from = '';
    while (!stopping.signal.aborted) {
      const first = await reports.firstFrom(from);
      if (first === null) break;
      const hourMs = first.atMs - (first.atMs % HOUR_MS);
      const isOver = hourMs + HOUR_MS + SETTLE_MS <= nowMs;
      // Where an hour is not over, the server's later ones are not either.
      from = isOver ? historyId(first.serverId, hourMs + HOUR_MS) : afterServer(first.serverId);
      const startedMs = clock.monotonic();
      if (startedMs - leasedAtMs > LEASE_MS / 3) {
        if ((await leases.acquire(LEASE, owner, LEASE_MS)) === null) break;
        leasedAtMs = startedMs;
      }
      if (!isOver) continue;
      if (!planOf.has(first.workspaceId)) {
        planOf.set(first.workspaceId, (await plans.plans([first.workspaceId])).get(first.workspaceId) ?? null);
      }
      await packOne(first, hourMs, planOf.get(first.workspaceId) ?? null, report);
      await clock.sleep(Math.min(clock.monotonic() - startedMs, REST_MS_MAX), stopping.signal);
    }
    return report;
  }

  /** One hour that cannot be packed must not keep all the others from it. */
  async function packOne(
    server: { workspaceId: string; serverId: string },
    hourMs: number,
    plan: PlanName | null,
    report: PackReport,
  ): Promise<void> {
    try {
      const { packed, dropped } = await packHour(server, hourMs, plan);
      report.hours++;
      report.reports += packed;
      report.dropped += dropped;
      if (dropped > 0) logger.warn({ server: server.serverId, hourMs, dropped }, 'reports were dropped unpacked');
    } catch (error) {
      report.failed++;
      logger.error({ err: error, server: server.serverId, hourMs }, 'an hour of reports was not packed');
    }
  }

  const rounds = createRounds({
    clock,
    firstMs: FIRST_RUN_MS,
    periodMs: PACK_PERIOD_MS,
    async round() {
      const report = await runDue(clock.now());
      if (report !== null) logger.debug(report, 'reports packed');
    },
    failed: (error) => logger.error({ err: error }, 'packing failed; the next pass repeats it'),
  });
  return {
    start: rounds.start,
    runDue,
    async stop() {
      stopping.abort();
      await rounds.stop();
      await leases.release(LEASE, owner);
    },
  };
}
