import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { loadMetricSampleCodec } from '../../proto/load.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Mount } from '../http/mount.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { AgentCredentials, AgentOwner, AgentReception, AgentRequests, NewAgent } from '../nodes/nodes.js';
import type { StandingOf } from '../plans/cache.js';
import type { PlanName, WorkspacePlans } from '../plans/plans.js';
import { countedQuota } from '../plans/quotas.js';
import type { References } from '../references/references.js';
import { createPointsBudget } from '../retention/points-budget.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { LeaseStore } from '../storage/leases/lease-store.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { SetAside } from '../storage/writes/insert-new.js';
import type { Timeline } from '../timeline/timeline.js';
import { createForecasts } from './details/forecasts.js';
import type { ServerDocument } from './documents.js';
import { addEnrolledServer } from './enrol.js';
import { createPackJob } from './history/pack-job.js';
import { createMetricsRoutes } from './history/routes.js';
import { readInventory } from './inventory/inventory.js';
import { createInventoryThrottle } from './inventory/inventory-throttle.js';
import type { AgentFacts } from './live-store.js';
import { createServerMetrics, type ServerMetrics } from './metrics.js';
import type { ServerNeeds } from './needs.js';
import { createOfflineJob } from './offline-job.js';
import { serverMetricsMount } from './prometheus/exposition.js';
import { openServerRecords, type ServerRecords } from './records.js';
import { createServerRoutes } from './routes.js';
import type { LatestValues } from './samples/latest.js';
import { createRecordSamples } from './samples/record.js';
import type { SampleListener, StatusListener } from './servers.js';
import { createStatusChanges } from './status.js';

export const serverRecordsSlice: Slice<'serverRecords', { db: Db; setAside: SetAside }, ServerRecords> = {
  name: 'serverRecords',
  idPrefixes: ['srv'],
  open: openServerRecords,
};

export interface ServersNeeds {
  records: ServerRecords;
  agents: {
    credentials: AgentCredentials;
    requests: AgentRequests;
    installCommand(token: string): Promise<string>;
    address: string;
  };
  /** Whether control planes could receive what agents sent. */
  reception: AgentReception;
  timeline: Timeline;
  status: StatusListener;
  references: References;
  /** Called with every stored sample. */
  listeners: readonly SampleListener[];
  /** Creates the default alert rules with the first server of a workspace. */
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  workspace(id: string): Promise<NewAgent['workspace'] | null>;
  planOf(workspaceId: string): Promise<PlanName | null>;
  standingOf: StandingOf;
  plans: WorkspacePlans;
  /** Returns the caller of a request to `/metrics/servers`; throws when the request may not read servers. */
  authorize(ctx: Parameters<Mount['handle']>[0]): Actor;
  /** Ends early when another transaction has locked what a change of status writes: others wait for it. */
  runStatusTransaction: RunTransaction;
  /** Resolves to the time of the database, in milliseconds since the Unix epoch. */
  databaseTime(): Promise<number>;
  audit: AuditLog;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  pager: Pager;
  /** Of Prometheus metrics. */
  registry: Registry;
  clock: Clock;
  logger: Logger;
}

export interface OpenServers extends OpenedSlice {
  agentOwner: AgentOwner;
  routes: Route[];
  mounts: Mount[];
  jobs: Job[];
}

/** Opens servers: the samples of their agents, their status and their history. */
function openServers(needs: ServersNeeds): OpenServers {
  const { records, agents, clock } = needs;
  const { store, samples, metrics, decodeSample } = records;
  const latest = (server: Pick<ServerDocument, 'live'>): LatestValues => {
    const { live } = server;
    if (live === null) return new Map();
    return decodeSample({ atMs: live.at_ms, bytes: live.report.buffer })?.values ?? new Map();
  };
  const changes = createStatusChanges({
    ...{ ...needs, store, listener: needs.status },
    runTransaction: needs.runStatusTransaction,
  });
  const operations = operationNeeds(needs);
  const counts = createServerMetrics(needs.registry);
  const budget = createPointsBudget(clock);
  return {
    agentOwner: agentOwnerOf(needs, changes, counts),
    routes: createServerRoutes(
      {
        ...needs,
        ...{
          operations,
          latest,
          requests: agents.requests,
          installCommand: agents.installCommand,
          agentAddress: agents.address,
        },
        readForecasts: createForecasts({ history: records.history, budget, clock }),
      },
      createMetricsRoutes({
        servers: store,
        readHistory: records.readHistory,
        budget,
        clock,
      }),
    ),
    mounts: [serverMetricsMount({ store, latest, authorize: needs.authorize })],
    quotas: [countedQuota({ name: 'servers', label: 'servers', limit: ({ servers }) => servers, things: store.named })],
    jobs: [
      createPackJob({ ...needs, samples, metrics, decodeSample, setAside: records.hoursSetAside, counts }),
      createOfflineJob({ ...needs, store, changes }),
    ],
  };
}

function operationNeeds(needs: ServersNeeds): ServerNeeds {
  const { records, agents, logger } = needs;
  return {
    ...needs,
    store: records.store,
    credentials: agents.credentials,
    listener: needs.status,
    removeHistory: (server) =>
      records.removeHistory(server).catch((error: unknown) => {
        logger.warn({ err: error, ...server }, 'failed to delete the history of a server; it stays until it expires');
      }),
  };
}

function agentOwnerOf(
  needs: ServersNeeds,
  changes: ReturnType<typeof createStatusChanges>,
  metrics: ServerMetrics,
): AgentOwner {
  const { records, listeners, clock, logger } = needs;
  const { store, samples } = records;
  const listener: SampleListener = {
    accepted(accepted) {
      for (const one of listeners) one.accepted(accepted);
    },
  };
  const inventories = createInventoryThrottle<{ workspaceId: string; facts: AgentFacts }>(
    clock,
    (server, { workspaceId, facts }) =>
      store.setFacts(workspaceId, server, facts).then(
        () => true,
        (error: unknown) => {
          logger.warn(
            { err: error, server },
            'failed to store the inventory of a server; it is tried again for a minute unless too many wait',
          );
          return false;
        },
      ),
    metrics.inventoryDropped,
  );
  return {
    enrolled: (tx, agent) => addEnrolledServer({ ...needs, store }, tx, agent),
    inventory({ workspaceId, nodeId }, message) {
      const facts = readInventory(message, clock.now());
      if (!inventories.offer(nodeId, { workspaceId, facts })) metrics.inventoryDropped();
    },
    records: createRecordSamples({
      ...{ ...needs, samples, store, changes, listener, metrics },
      codec: loadMetricSampleCodec(),
    }),
  };
}

/** Servers: samples of their agents, status, history, Prometheus. */
export const serversSlice = {
  name: 'servers',
  scopes: ['servers:read', 'servers:write'],
  auditActions: [
    'server.join_token_created',
    'server.join_token_revoked',
    'server.created',
    'server.updated',
    'server.deleted',
  ],
  open: openServers,
} satisfies Slice<'servers', ServersNeeds, OpenServers>;
