import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { UptimeMaintenance } from '../../../control-plane/maintenance/maintenance.js';
import { createMonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import { createMonitorDirectory } from '../../../control-plane/monitors/directory/directory.js';
import type { MonitorDocument } from '../../../control-plane/monitors/documents.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { AssignedSlots } from '../../../control-plane/nodes/nodes.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createLiveStore } from '../../../control-plane/results/live-store.js';
import { createRecordResults } from '../../../control-plane/results/record.js';
import { createRollupJob } from '../../../control-plane/results/rollup/job.js';
import { createRollupStore } from '../../../control-plane/results/rollup/store.js';
import { createResultsStore } from '../../../control-plane/results/store.js';
import { createUptimeJob } from '../../../control-plane/results/uptime/job.js';
import { createUptimeStore } from '../../../control-plane/results/uptime/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import type { CertificateChanges } from '../../../control-plane/verdicts/certificates/changes.js';
import type { QuarantineDocument } from '../../../control-plane/verdicts/documents.js';
import { createQuarantineStore } from '../../../control-plane/verdicts/locations/quarantine-store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { loadCheckResultCodec } from '../../../proto/load.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { monitorSecrets } from '../monitors/secrets.js';
import { neverSetAside } from '../set-aside.js';

export const codec = loadCheckResultCodec();
const ids = createIds(systemClock, systemRandom);

function newMonitorId(): string {
  return ids.next('mon');
}

/** Returns a monitor as `create` makes it, with the fields of `over`. */
export function buildMonitor(over: Partial<MonitorDocument> = {}): MonitorDocument {
  return {
    _id: newMonitorId(),
    workspace_id: 'ws_history',
    name: 'Shop',
    url: 'https://shop.example.com/',
    type: 'http',
    interval_seconds: 60,
    timeout_ms: 10_000,
    locations: ['fra', 'nyc', 'sin'],
    http: null,
    confirmations: null,
    retries: 1,
    channels: null,
    tags: [],
    runbook_url: null,
    paused_at_ms: null,
    created_at_ms: 0,
    updated_at_ms: 0,
    version: 1,
    live_from_version: 1,
    last_checked_at_ms: null,
    state: {
      revision: 0,
      status: 'up',
      changed_at_ms: 0,
      evaluated_through_ms: 0,
      first_failed_at_ms: null,
      recovering_since_ms: null,
      attention: false,
    },
    live: {},
    good: {},
    certificate: null,
    uptime: null,
    resolve_grace_until_ms: null,
    ...over,
  };
}

/** Returns a good result of the first attempt, with the fields of `over`. `error` makes it a failed one. */
export function checkResult(
  over: CheckResult & { monitorId: string; slotMs: number },
  error: string | null = null,
): CheckResult {
  return {
    monitorVersion: 1,
    attempt: 0,
    final: true,
    reason: 'schedule',
    checkedAtMs: over.slotMs,
    up: error === null,
    responseTimeMs: 80,
    dnsMs: 5,
    connectMs: 10,
    ttfbMs: 50,
    transferMs: 5,
    httpStatus: 200,
    errorCode: error ?? '',
    errorMessage: error === null ? '' : 'it failed',
    certificate: null,
    address: '192.0.2.1',
    ...over,
  };
}

/** Opens results and history of one control plane on a real database, with the directory of real monitors. */
export async function buildHistory(
  mongo: Mongo,
  options: {
    clock?: Clock;
    plan?: PlanName;
    evaluate?: (monitorIds: string[]) => Promise<void>;
    certificatesSeen?: CertificateChanges['seen'];
    /** Defaults to every slot of every monitor. */
    assigned?: AssignedSlots;
    setBackMs?: () => number;
    /** What does not count in uptime; defaults to nothing. */
    maintenance?: UptimeMaintenance;
  } = {},
) {
  const { clock = systemClock, plan = 'Enterprise', maintenance = NO_MAINTENANCE } = options;
  const errors: unknown[] = [];
  const logger = pino(
    { level: 'error' },
    new Writable({
      write(line, _encoding, done) {
        errors.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  const monitors = createMonitorStore(mongo.db);
  const results = createResultsStore(mongo.db, neverSetAside);
  const live = createLiveStore(mongo.db, neverSetAside);
  const rollups = createRollupStore(mongo.db);
  const uptimes = createUptimeStore(mongo.db);
  const quarantines = createQuarantineStore(mongo.db);
  const leases = createLeaseStore(mongo.db);
  await Promise.all([monitors, results, rollups, uptimes, quarantines].map((store) => store.ensureIndexes()));
  const directory = createMonitorDirectory({
    store: monitors,
    secrets: monitorSecrets(),
    changes: createMonitorChanges(mongo.db),
    plans: { plans: async (workspaceIds) => new Map(workspaceIds.map((id) => [id, plan])) },
    clock,
    logger,
  });
  const evaluated: string[][] = [];
  const overBudget: string[] = [];
  const refusals: string[] = [];
  const record = createRecordResults({
    codec,
    directory,
    assigned: options.assigned ?? { ready: async () => {}, refresh: async () => {}, isAssigned: () => true },
    results,
    live: { apply: async (updates) => void (await live.apply(updates)) },
    evaluate: options.evaluate ?? (async (monitorIds) => void evaluated.push(monitorIds)),
    certificatesSeen: options.certificatesSeen ?? (async () => undefined),
    metrics: {
      refused: (kind) => void refusals.push(kind),
      overBudget: (location) => void overBudget.push(location),
    },
    clock: { ...clock, setBackMs: options.setBackMs ?? (() => 0) },
    logger,
  });
  const job = { store: rollups, results, uptimes, quarantines, maintenance, directory, leases, clock, logger };
  let seq = 0;
  return {
    mongo,
    clock,
    errors,
    evaluated,
    /** The locations of batches with results beyond the limit of a monitor. */
    overBudget,
    /** The kinds of all refused records. */
    refusals,
    monitors,
    results,
    live,
    rollups,
    uptimes,
    quarantines,
    maintenance,
    leases,
    directory,
    record,
    newRollupJob: (owner = 'one', over: Partial<typeof job> = {}) => createRollupJob({ ...job, ...over, owner }),
    newUptimeJob: (owner = 'one', over: Partial<typeof job> = {}) => createUptimeJob({ ...job, ...over, owner }),
    async insertMonitors(...documents: MonitorDocument[]): Promise<void> {
      await createRunTransaction(mongo.client)((tx) => monitors.insert(tx, documents));
      await directory.refresh(documents.map((document) => document._id));
    },
    /** Quarantines a location from `sinceMs` until `trust`. */
    async quarantine(location: string, sinceMs: number): Promise<void> {
      const broken = brokenLocation(location, sinceMs);
      await quarantines.insert(broken);
      await createRunTransaction(mongo.client)((tx) => quarantines.apply(tx, broken, sinceMs));
    },
    async trust(location: string, sinceMs: number, nowMs: number): Promise<void> {
      const quarantined = { ...brokenLocation(location, sinceMs), applied_at_ms: sinceMs };
      await createRunTransaction(mongo.client)((tx) => quarantines.remove(tx, quarantined, nowMs));
    },
    /** Delivers a batch of the probe of one location. Returns the rejections. */
    deliver(location: string, batch: readonly CheckResult[], receivedAtMs: number) {
      const records = batch.map((result) => ({ seq: ++seq, bytes: codec.encode(result) }));
      return record.accept({ nodeId: `prb_${location}`, kind: 'probe', location }, records, receivedAtMs);
    },
    find: async (id: string) => {
      const monitor = await monitors.find('ws_history', id);
      if (monitor === null) throw new Error(`${id} is not there`);
      return monitor;
    },
  };
}

function brokenLocation(code: string, sinceMs: number): QuarantineDocument {
  return { _id: code, since_ms: sinceMs, calm_since_ms: null, failing: 10, monitors: 10, applied_at_ms: null };
}

export type History = Awaited<ReturnType<typeof buildHistory>>;
