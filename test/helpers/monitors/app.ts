import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import type { Route } from '../../../control-plane/http/route.js';
import type { OutageIncidents } from '../../../control-plane/incidents/incidents.js';
import { createIncidents } from '../../../control-plane/incidents/service.js';
import { createIncidentStore } from '../../../control-plane/incidents/store.js';
import { createTransferRoutes } from '../../../control-plane/monitor-transfer/routes.js';
import { createMonitorChanges } from '../../../control-plane/monitors/directory/changes-store.js';
import { createMonitorDirectory } from '../../../control-plane/monitors/directory/directory.js';
import { createBulkMonitors } from '../../../control-plane/monitors/many/bulk.js';
import type { MonitorDirectory } from '../../../control-plane/monitors/monitors.js';
import type { MonitorNeeds } from '../../../control-plane/monitors/needs.js';
import { createMonitorRoutes } from '../../../control-plane/monitors/routes.js';
import { createMonitorStore } from '../../../control-plane/monitors/store.js';
import type { LocationDirectory, ProbeCommands } from '../../../control-plane/nodes/nodes.js';
import { createChannelStore } from '../../../control-plane/notifications/channel-settings/store.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createReferences } from '../../../control-plane/references/references.js';
import { createUptimeAtRead } from '../../../control-plane/results/uptime/at-read.js';
import { uptimeWindow } from '../../../control-plane/results/uptime/uptime.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createTargetGuard } from '../../../kernel/guard/target-guard.js';
import { createLogger } from '../../../kernel/logger.js';
import { startApp, type TestApp, type TestParts } from '../app.js';
import { testDatabase } from '../database.js';
import { NO_DEPENDENCIES } from '../dependencies/none.js';
import { RULE_KINDS } from '../incidents/kinds.js';
import { NO_MAINTENANCE } from '../maintenance/none.js';
import { monitorSecrets } from './secrets.js';

type RunNow = Parameters<ProbeCommands['runNow']>[0];

/** The monitors API on a real database. Fakes of other slices record their calls. */
export interface MonitorsApp extends TestApp {
  mongo: Mongo;
  directory: MonitorDirectory;
  context: MonitorNeeds;
  runs: RunNow[];
  incidents: OutageIncidents;
  stop(): Promise<void>;
}

const CODES = ['fra', 'nyc', 'sin', 'lon', 'sfo'];

const fiveLocations: LocationDirectory = {
  codes: () => CODES,
  name: (code) => code,
  presence: () => ({ connectedProbes: 1, checkingProbes: 1, lastCheckingAtMs: 0, canaryOk: null }),
};

export async function startMonitorsApp(
  options: {
    plan?: PlanName;
    allowPrivate?: boolean;
    clock?: Clock;
    /** Routes of other slices that use these monitors. */
    more?: (context: MonitorNeeds, parts: TestParts) => readonly Route[];
  } = {},
): Promise<MonitorsApp> {
  const { plan = 'Enterprise', allowPrivate = false, clock = systemClock } = options;
  const mongo = await testDatabase();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const store = createMonitorStore(mongo.db);
  const changes = createMonitorChanges(mongo.db);
  const secrets = monitorSecrets();
  await Promise.all([store.ensureIndexes(), changes.ensureIndexes()]);
  const directory = createMonitorDirectory({
    store,
    secrets,
    changes,
    plans: createWorkspacesStore(mongo.db),
    clock: systemClock,
    logger,
  });
  const runs: RunNow[] = [];
  let context: MonitorNeeds | null = null;
  let incidents: OutageIncidents | null = null;
  const app = await startApp({
    mongo,
    plan,
    clock,
    routes: (parts) => {
      const { audit, ids, pager, runTransaction } = parts;
      // Notifications are outbox rows of another slice. Their contents are in the incident.
      const notifier = { enqueue: async () => undefined };
      const timeline = createTimelineStore(mongo.db, ids);
      const incidentStore = createIncidentStore(mongo.db, RULE_KINDS);
      incidents = createIncidents({
        ...{ clock, ids, store: incidentStore, notifier, timeline, audit },
        ...NO_DEPENDENCIES,
        maintenance: NO_MAINTENANCE,
      });
      context = {
        store,
        secrets,
        changes,
        directory,
        references: createReferences(mongo.db, () => []),
        probes: { runNow: (command) => void runs.push(command) },
        locations: fiveLocations,
        uptimeAtRead: createUptimeAtRead(NO_MAINTENANCE),
        uptimeOf: uptimeWindow,
        incidents,
        channels: createChannelStore(mongo.db),
        audit,
        ids,
        runTransaction,
        clock,
        guard: createTargetGuard({ allowPrivate }),
        logger,
      };
      const transfer = createTransferRoutes({ monitors: createBulkMonitors(context), audit, runTransaction, clock });
      const more = options.more?.(context, parts) ?? [];
      return [...createMonitorRoutes(context, pager), ...transfer, ...more];
    },
  });
  if (context === null || incidents === null) throw new Error('routes were not built');
  directory.start();
  await directory.ready();
  return {
    ...app,
    mongo,
    directory,
    context,
    runs,
    incidents,
    async stop() {
      await app.close();
      await directory.stop();
      await mongo.drop();
    },
  };
}
