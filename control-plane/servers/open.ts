import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import { loadMetricReportCodec } from '../../proto/load.js';
import type { PlanName } from '../accounts/plans.js';
import type { Actor } from '../actor.js';
import type { AuditLog } from '../audit/audit.js';
import type { Mount } from '../http/mount.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { Timeline } from '../incidents/incidents.js';
import type { AgentCredentials, AgentOwner, AgentRequests, NewAgent } from '../nodes/nodes.js';
import type { LeaseStore } from '../storage/lease-store.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import type { ServerContext } from './change.js';
import type { ServerDocument } from './documents.js';
import { serverEnrolled } from './enrolled.js';
import { createPackJob } from './history/pack-job.js';
import { createMetricsRoutes } from './history/routes.js';
import type { ServerData } from './history/server-data.js';
import { readInventory } from './inventory.js';
import { createOfflineJob } from './offline-job.js';
import { serverMetricsMount } from './prometheus/exposition.js';
import { createServerRoutes } from './routes.js';
import { createRecordReports } from './samples/record.js';
import type { ReportListener, StatusListener } from './servers.js';
import { createStatusChanges } from './status.js';
import type { LatestValues } from './view.js';

interface Dependencies {
  data: ServerData;
  agents: { credentials: AgentCredentials; requests(): AgentRequests | null; installCommand(token: string): string };
  timeline: Timeline;
  status: StatusListener;
  /** Each is told of every stored report. */
  listeners: readonly ReportListener[];
  ensureDefaultRules(tx: Transaction, actor: Actor): Promise<void>;
  workspace(id: string): Promise<NewAgent['workspace'] | null>;
  planOf(workspaceId: string): Promise<PlanName | null>;
  plans: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
  runTransaction: RunTransaction;
  audit: AuditLog;
  leases: LeaseStore;
  /** Names this process in leases. */
  owner: string;
  pager: Pager;
  clock: Clock;
  logger: Logger;
}

export interface OpenServers {
  agentOwner: AgentOwner;
  routes: Route[];
  /** `/metrics/servers`, once it is known how a caller proves who it is. */
  metricsMount(authorize: (ctx: Parameters<Mount['handle']>[0]) => Promise<Actor>): Mount;
  jobs: { start(): void; stop(): Promise<void> }[];
}

/** Servers: their agents' reports taken in, their status, their history read. */
export function openServers(dependencies: Dependencies): OpenServers {
  const { data, agents, listeners, clock, logger, audit } = dependencies;
  const { store, reports, metrics, readSample } = data;
  const codec = loadMetricReportCodec();
  const latest = (server: ServerDocument): LatestValues => {
    const { live } = server;
    if (live === null) return new Map();
    return readSample({ atMs: live.at_ms, report: live.report.buffer })?.values ?? new Map();
  };
  const changes = createStatusChanges({ ...dependencies, store, listener: dependencies.status });
  const context: ServerContext = {
    ...dependencies,
    store,
    credentials: agents.credentials,
    listener: dependencies.status,
    removeHistory: (server) =>
      data.removeHistory(server).catch((error: unknown) => {
        logger.warn({ err: error, ...server }, 'the history of a deleted server stays until it expires');
      }),
  };
  const listener: ReportListener = {
    accepted(accepted) {
      for (const one of listeners) one.accepted(accepted);
    },
  };
  return {
    agentOwner: {
      enrolled: (tx, agent) => serverEnrolled({ store, audit, clock, workspace: dependencies.workspace }, tx, agent),
      inventory({ workspaceId, nodeId }, message) {
        store.setFacts(workspaceId, nodeId, readInventory(message, clock.now())).catch((error: unknown) => {
          logger.warn({ err: error, server: nodeId }, 'what an agent says of its server could not be stored');
        });
      },
      records: createRecordReports({ ...dependencies, codec, reports, store, changes, listener }),
    },
    routes: createServerRoutes(
      { ...dependencies, context, latest, requests: agents.requests, installCommand: agents.installCommand },
      createMetricsRoutes({ servers: store, readHistory: data.readHistory, clock }),
    ),
    metricsMount: (authorize) => serverMetricsMount({ store, latest, authorize }),
    jobs: [
      createPackJob({ ...dependencies, reports, metrics, readSample }),
      createOfflineJob({ ...dependencies, store, changes }),
    ],
  };
}
