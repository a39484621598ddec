import { lookup } from 'node:dns';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Registry } from 'prom-client';
import { createGuardedFetch } from '../kernel/guarded-fetch.js';
import { createCreateKey } from './accounts/create-api-key.js';
import { createKeyAuthenticator } from './accounts/key-authenticator.js';
import { createPlanCache } from './accounts/plan-cache.js';
import { createRevokeKey } from './accounts/revoke-api-key.js';
import { createAccountRoutes } from './accounts/routes.js';
import { systemActor } from './actor.js';
import { createForwarding, HEARTBEAT_MS, SETTLE_MS } from './audit/forward/assemble.js';
import { createAuditRetention } from './audit/retention-job.js';
import { createAuditRoutes } from './audit/routes.js';
import { createAuditSealer } from './audit/sealer.js';
import { openBlacklist, openBlacklistData } from './blacklist/open-blacklist.js';
import type { Catalogue } from './blacklist/providers.js';
import type { Config } from './config.js';
import type { Foundation } from './foundation.js';
import { type Authenticator, authorize } from './http/authenticate.js';
import type { Mount } from './http/mount.js';
import type { Route } from './http/route.js';
import { createAuditTimeline } from './incidents/audit-timeline.js';
import { createDetectionDelay } from './incidents/detection-delay.js';
import { incidentMessages } from './incidents/messages.js';
import { createPlatformAlerts } from './incidents/platform-alerts.js';
import { incidentRoutes } from './incidents/routes.js';
import { createIncidents, type IncidentContext, platformActor } from './incidents/service.js';
import { createIncidentStore } from './incidents/store.js';
import { createTimelineStore } from './incidents/timeline-store.js';
import { incidentView } from './incidents/view.js';
import { openHistory } from './monitors/open-history.js';
import { openMonitors } from './monitors/open-monitors.js';
import { openVerdicts } from './monitors/open-verdicts.js';
import type { NodeServer } from './nodes/node-server.js';
import type { LocationDirectory } from './nodes/nodes.js';
import { openNodes } from './nodes/open-nodes.js';
import { createNotifications, type NotificationsSlice } from './notifications/assemble.js';
import { createNotificationMetrics } from './notifications/metrics.js';
import type { Notifications } from './notifications/notifications.js';
import { openServerParts } from './server-parts.js';

/** Background work of a part. */
export interface Job {
  start(): void | Promise<void>;
  stop(): Promise<void> | void;
}

/** The product, put together and not yet running. */
export interface Parts {
  routes: Route[];
  mounts: Mount[];
  authenticators: Authenticator[];
  nodeServer: NodeServer;
  locations: LocationDirectory;
  connectedProbes(): number;
  quarantined(): { location: string }[];
  /** Monitors that this control plane knows of. */
  monitors(): number;
  /** Resolves once probes can be told what to check. */
  ready(): Promise<void>;
  /** Starts the background work. */
  start(): Promise<void>;
  /** Ends it, the newest first. */
  stop(): Promise<void>;
}

/** Slices meet here: each gets the others' services as arguments. */
export async function openParts(given: {
  config: Config;
  version: string;
  foundation: Foundation;
  registry: Registry;
  catalogue: Catalogue;
}): Promise<Parts> {
  const { config, foundation } = given;
  const { mongo, clock, logger, ids, pager, audit, accounts } = foundation;

  const timeline = createTimelineStore(mongo.db, ids);
  const incidentStore = createIncidentStore(mongo.db);
  // Incidents tell notifications what happened, and notifications read incidents before they tell others.
  let slice: NotificationsSlice | null = null;
  const notifications: Notifications = {
    enqueue(tx, changed, event) {
      if (slice === null) throw new Error('notifications are used before they are built');
      return slice.enqueue(tx, changed, event);
    },
  };
  const incidentContext: IncidentContext = { clock, ids, store: incidentStore, notifications, timeline };
  const incidents = createIncidents(incidentContext);
  const detectionDelay = createDetectionDelay({ clock, logger, store: incidentStore });
  const nodes = await openNodes({
    ...foundation,
    db: mongo.db,
    publicUrl: config.publicUrl,
    grpcAddress: config.grpcAddress,
    canaryTargets: config.canaryTargets,
    detectionDelay: detectionDelay.delay,
    isQuarantined: (code) => verdicts.quarantined().some(({ location }) => location === code),
  });
  const alerts = createPlatformAlerts({
    ...incidentContext,
    locations: nodes.locations,
    operatorsWorkspace: async () => (await accounts.operators())?.id ?? null,
  });
  slice = createNotifications({
    ...foundation,
    db: mongo.db,
    box: foundation.secretBox,
    incidents,
    sources: {
      monitors: (workspaceId, ids) => monitors.summaries(workspaceId, ids),
      locationName: nodes.locations.name,
      renderIncident: (incident, told) => ({ ...incidentView(incident, told) }),
    },
    systemActor: async (workspaceId) => systemActorOf(foundation, workspaceId),
    metrics: createNotificationMetrics(given.registry),
    fetch: createGuardedFetch({ guard: foundation.guard, clock }),
    publicUrl: config.publicUrl,
    smtpUrl: config.smtpUrl,
    mailFrom: config.mailFrom,
    version: given.version,
  });
  const monitors = openMonitors({ foundation, nodes, incidents, channels: slice.channelIds });
  const verdicts = openVerdicts({
    foundation,
    nodes,
    incidents,
    alerts,
    timeline,
    messages: incidentMessages,
    systemActor: platformActor,
    directory: monitors.directory,
  });
  const history = openHistory({
    foundation,
    locations: nodes.locations,
    monitors,
    verdicts,
    incidents: incidentStore,
    breathe: () => nextTurn(),
  });
  const planOf = createPlanCache(accounts, clock);
  const blacklistData = openBlacklistData(mongo.db);
  const servers = openServerParts({
    ...{ config, foundation, nodes, incidents, timeline, planOf },
    channels: slice.channelIds,
    blacklist: blacklistData.store,
  });
  const blacklist = openBlacklist({
    ...foundation,
    ...{ db: mongo.db, timeline, planOf, registry: given.registry },
    data: blacklistData,
    catalogue: given.catalogue,
    dnsServers: config.dnsServers,
    listener: servers.listingListener,
    ensureDefaultRule: servers.ensureDefaultListingRule,
  });
  const forwarding = createForwarding({
    ...foundation,
    db: mongo.db,
    box: foundation.secretBox,
    plans: accounts.plans,
    lookup,
    version: given.version,
    publicUrl: config.publicUrl,
    settleMs: SETTLE_MS,
    heartbeatMs: HEARTBEAT_MS,
  });
  await Promise.all([
    forwarding.ensureIndexes(),
    blacklistData.ensureIndexes(),
    servers.ensureIndexes(),
    timeline.ensureIndexes(),
    incidentStore.ensureIndexes(),
    slice.ensureIndexes(),
    monitors.ensureIndexes(),
    verdicts.ensureIndexes(),
    history.ensureIndexes(),
  ]);

  const keyAuthenticator = createKeyAuthenticator({ store: foundation.apiKeys, clock, logger });
  const keyParts = { ...foundation, store: foundation.apiKeys };
  const accountRoutes = createAccountRoutes({
    store: foundation.apiKeys,
    pager,
    createKey: createCreateKey(keyParts),
    revokeKey: createRevokeKey({ ...keyParts, forget: keyAuthenticator.forget }),
  });
  const sealer = createAuditSealer({ ...foundation, store: foundation.auditStore });
  const retention = createAuditRetention({ ...foundation, store: foundation.auditStore, plans: accounts });
  const jobs: Job[] = [
    sealer,
    retention,
    forwarding,
    slice,
    detectionDelay,
    ...verdicts.jobs,
    ...history.jobs,
    ...servers.jobs,
    ...blacklist.jobs,
  ];
  const authenticators = [keyAuthenticator];
  return {
    routes: [
      ...accountRoutes,
      ...monitors.routes(history.routes),
      ...incidentRoutes({
        ...incidentContext,
        audit,
        mute: verdicts.mute,
        pager,
        told: slice.records,
        timelineSources: [timeline, createAuditTimeline(foundation.auditStore)],
      }),
      ...slice.routes,
      ...servers.routes,
      ...blacklist.routes,
      ...createAuditRoutes({ store: foundation.auditStore, pager, clock }),
      ...forwarding.routes,
      ...nodes.routes,
    ],
    mounts: [servers.metricsMount((ctx) => authorize(ctx, authenticators, 'servers:read'))],
    authenticators,
    nodeServer: nodes.createServer({
      source: monitors.directory,
      handler: history.recordResults,
      agents: servers.agentOwner,
    }),
    locations: nodes.locations,
    connectedProbes: nodes.connectedProbes,
    quarantined: verdicts.quarantined,
    monitors: monitors.directory.size,
    async ready() {
      monitors.directory.start();
      await monitors.directory.ready();
    },
    async start() {
      for (const job of jobs) await job.start();
    },
    async stop() {
      for (const job of jobs.reverse()) await job.stop();
      await monitors.directory.stop();
      await nodes.stop();
      foundation.authority.close();
    },
  };
}

async function systemActorOf({ accounts, ids }: Foundation, workspaceId: string) {
  const workspace = await accounts.find(workspaceId);
  if (workspace === null) throw new Error(`workspace ${workspaceId} is gone`);
  return systemActor(workspace, ids.next('evt'));
}
