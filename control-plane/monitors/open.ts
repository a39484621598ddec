import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { PlanName } from '../accounts/plans.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { Incidents } from '../incidents/incidents.js';
import type { LocationDirectory, ProbeCommands } from '../nodes/nodes.js';
import type { Ids } from '../storage/ids.js';
import { createMonitorChanges } from './changes-store.js';
import { createMonitorDirectory } from './directory.js';
import type { ChannelIds, MonitorDirectory } from './monitors.js';
import { createMonitorRoutes } from './routes.js';
import { createMonitorStore, type MonitorStore } from './store.js';
import { redactUrl } from './target.js';

export interface OpenMonitors {
  store: MonitorStore;
  directory: MonitorDirectory;
  /** `others` are the routes under `/v1/monitors` that read history. */
  routes(others: readonly Route[]): Route[];
  /** How notifications name monitors, their URLs without passwords, by id; without those that are gone. */
  summaries(
    workspaceId: string,
    ids: readonly string[],
  ): Promise<Map<string, { id: string; name: string; url: string; type: string }>>;
  ensureIndexes(): Promise<void>;
}

/** Settings of monitors: store, directory, endpoints. */
export function openMonitors(parts: {
  foundation: {
    mongo: { db: Db };
    accounts: { plans(workspaceIds: readonly string[]): Promise<ReadonlyMap<string, PlanName>> };
    audit: AuditLog;
    pager: Pager;
    guard: TargetGuard;
    ids: Ids;
    clock: Clock;
    logger: Logger;
  };
  nodes: { locations: LocationDirectory; commands: ProbeCommands };
  incidents: Incidents;
  channels: ChannelIds;
}): OpenMonitors {
  const { foundation, nodes, incidents, channels } = parts;
  const { mongo, accounts, clock, logger } = foundation;
  const store = createMonitorStore(mongo.db);
  const changes = createMonitorChanges(mongo.db);
  const directory = createMonitorDirectory({ store, changes, plans: accounts, clock, logger });
  const { locations, commands: probes } = nodes;
  const context = { ...foundation, store, changes, directory, probes, locations, incidents, channels };
  return {
    store,
    directory,
    routes: (others) => createMonitorRoutes(context, foundation.pager, others),
    async summaries(workspaceId, ids) {
      const found = await store.findNames(workspaceId, ids);
      return new Map(
        found.map(({ _id: id, name, url, type }) => [id, { id, name, url: redactUrl(url), type }] as const),
      );
    },
    async ensureIndexes() {
      await Promise.all([store.ensureIndexes(), changes.ensureIndexes()]);
    },
  };
}
