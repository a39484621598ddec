import { Writable } from 'node:stream';
import { pino } from 'pino';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createPointsBudget } from '../../../control-plane/retention/points-budget.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { createBlockBuilder } from '../../../control-plane/servers/history/block-builder.js';
import { createMetricHistory } from '../../../control-plane/servers/history/metric-history.js';
import { createPackJob } from '../../../control-plane/servers/history/pack-job.js';
import { createHistoryReader } from '../../../control-plane/servers/history/reader.js';
import { createMetricsRoutes } from '../../../control-plane/servers/history/routes.js';
import type { SeriesBlock } from '../../../control-plane/servers/history/series-block.js';
import { createSetAsideStore, type SetAsideReason } from '../../../control-plane/servers/history/set-aside-store.js';
import { createMetricsStore } from '../../../control-plane/servers/history/store.js';
import { createSampleDecoder, type Sample } from '../../../control-plane/servers/samples/decode.js';
import { createSamplesStore } from '../../../control-plane/servers/samples/store.js';
import type { ServerIdentity } from '../../../control-plane/servers/servers.js';
import { createServerStore } from '../../../control-plane/servers/store.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { loadMetricSampleCodec } from '../../../proto/load.js';
import { neverSetAside } from '../set-aside.js';
import { serverDocument } from './document.js';

const sampleCodec = loadMetricSampleCodec();
const ids = createIds(systemClock, systemRandom);

export const newServerId = () => ids.next('srv');

/** Returns a server as enrolment makes it, with the fields of `over`. */
export const buildServer = (over: Partial<ServerDocument> & { workspace_id: string }): ServerDocument =>
  serverDocument({ _id: newServerId(), ...over });

/** Returns a sample as an agent sends it: values by series name, `cpu_percent` or `disk_used_percent:/var`. */
export function encodeSample(atMs: number, values: Readonly<Record<string, number>>): Uint8Array {
  return sampleCodec.encode({
    atMs,
    values: Object.entries(values).map(([series, value]) => {
      const [metric = '', ...device] = series.split(':');
      return { metric: metric.toUpperCase(), device: device.join(':'), value };
    }) as NonNullable<MetricSample['values']>,
  });
}

/** Returns the block of these samples, with the wanted series. Of samples with the same time, the first one counts. */
export function blockOfSamples(
  samples: readonly Sample[],
  wants: (series: string) => boolean = () => true,
): SeriesBlock {
  const unlimited = { slots: Number.POSITIVE_INFINITY, points: Number.POSITIVE_INFINITY };
  const builder = createBlockBuilder(wants, unlimited);
  for (const sample of [...samples].sort((a, b) => a.atMs - b.atMs)) builder.add(sample);
  return builder.block();
}

/** Opens the server history of one control plane on a real database. */
export async function buildServerHistory(mongo: Mongo, options: { clock?: Clock; plan?: PlanName } = {}) {
  const { clock = systemClock, plan = 'Enterprise' } = options;
  const logged: unknown[] = [];
  const logger = pino(
    { level: 'warn' },
    new Writable({
      write(line, _encoding, done) {
        logged.push(JSON.parse(String(line)));
        done();
      },
    }),
  );
  const servers = createServerStore(mongo.db, neverSetAside);
  const samples = createSamplesStore(mongo.db, neverSetAside);
  const metrics = createMetricsStore(mongo.db);
  const setAside = createSetAsideStore(mongo.db);
  const leases = createLeaseStore(mongo.db);
  const hoursSetAside: SetAsideReason[] = [];
  await Promise.all([servers, samples, metrics, setAside].map((store) => store.ensureIndexes()));
  const decodeSample = createSampleDecoder(sampleCodec);
  const readHistory = createHistoryReader({ samples, metrics, decodeSample });
  const budget = createPointsBudget(clock);
  const plans = { plans: async (ids: readonly string[]) => new Map(ids.map((id) => [id, plan])) };
  // The job pauses with the real clock. The test decides which hours have ended.
  const counts = { hourSetAside: (reason: SetAsideReason) => void hoursSetAside.push(reason) };
  const job = { samples, metrics, setAside, counts, decodeSample, plans, leases, clock: systemClock, logger };
  return {
    mongo,
    logged,
    /** Why hours were set aside, as the metric counts them. */
    hoursSetAside,
    setAside,
    servers,
    samples,
    metrics,
    decodeSample,
    readHistory,
    history: createMetricHistory(readHistory),
    /** Of `routes`. */
    budget,
    routes: createMetricsRoutes({ servers, readHistory, budget, clock }),
    newPackJob: (owner = 'one', over: Partial<typeof job> = {}) => createPackJob({ ...job, ...over, owner }),
    async insertServer(server: ServerDocument): Promise<ServerIdentity> {
      await createRunTransaction(mongo.client)((tx) => servers.insert(tx, server));
      return { workspaceId: server.workspace_id, serverId: server._id };
    },
    /** Stores samples as `samples/record.ts` does: by time, with values by series name. */
    async deliver(server: ServerIdentity, rows: readonly (readonly [atMs: number, Record<string, number>])[]) {
      await samples.insert(
        rows.map(([atMs, values]) => ({
          ...server,
          ...{ atMs, receivedAtMs: atMs + 20, bytes: encodeSample(atMs, values) },
        })),
      );
    },
  };
}

export type ServerHistory = Awaited<ReturnType<typeof buildServerHistory>>;
