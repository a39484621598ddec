import type { Registry } from 'prom-client';
import { openAccountParts } from './account-parts.js';
import { createPlanCache } from './accounts/plan-cache.js';
import { openAlertParts } from './alert-parts.js';
import { openAuditParts } from './audit-parts.js';
import type { Catalogue } from './blacklist/lists/providers.js';
import { openBlacklist, openBlacklistData } from './blacklist/open.js';
import type { Config } from './config.js';
import type { Foundation } from './foundation.js';
import { type Authenticator, authorize } from './http/authenticate.js';
import type { Mount } from './http/mount.js';
import type { Route } from './http/route.js';
import type { LocationDirectory } from './nodes/nodes.js';
import type { NodeServer } from './nodes/streams/node-server.js';
import { openServerParts } from './server-parts.js';
import { openUptimeParts } from './uptime-parts.js';

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

interface Given {
  config: Config;
  version: string;
  foundation: Foundation;
  registry: Registry;
  /** The blacklists. */
  catalogue: Catalogue;
}

/** Slices meet here and in the `…-parts.ts` beside it: each gets the others' services as arguments. */
export async function openParts(given: Given): Promise<Parts> {
  const slices = await openSlices(given);
  const { accounts, alerts, uptime, servers, blacklist, audit } = slices;
  const { nodes, monitors, verdicts, history } = uptime;
  await ensureIndexes(slices);
  const jobs: Job[] = [
    ...audit.jobs,
    ...alerts.jobs,
    ...verdicts.jobs,
    ...history.jobs,
    ...servers.jobs,
    ...blacklist.jobs,
  ];
  const { authenticators } = accounts;
  return {
    routes: [
      ...accounts.routes,
      ...monitors.routes(history.routes),
      ...alerts.routes(verdicts.mute),
      ...servers.routes,
      ...blacklist.routes,
      ...audit.routes,
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
      given.foundation.authority.close();
    },
  };
}

type Slices = Awaited<ReturnType<typeof openSlices>>;

async function openSlices(given: Given) {
  const { config, foundation, version, registry, catalogue } = given;
  const { mongo, clock } = foundation;
  const alerts = openAlertParts({
    ...given,
    names: {
      monitors: (workspaceId, ids) => uptime.monitors.summaries(workspaceId, ids),
      locationName: (code) => uptime.nodes.locations.name(code),
    },
  });
  const { incidents, timeline, channelIds } = alerts;
  const uptime = await openUptimeParts({ config, foundation, alerts });
  const planOf = createPlanCache(foundation.accounts, clock);
  // Rules read blacklist monitors, whose checks tell the rules.
  const data = openBlacklistData(mongo.db);
  const servers = openServerParts({
    ...{ config, foundation, incidents, timeline, planOf },
    nodes: uptime.nodes,
    channels: channelIds,
    blacklist: data.store,
  });
  const blacklist = openBlacklist({
    ...foundation,
    ...{ db: mongo.db, data, catalogue, timeline, planOf, registry },
    dnsServers: config.dnsServers,
    listener: servers.listingListener,
    ensureDefaultRule: servers.ensureDefaultListingRule,
  });
  return {
    ...{ alerts, uptime, servers },
    blacklist: { ...blacklist, ensureIndexes: data.ensureIndexes },
    accounts: openAccountParts(foundation),
    audit: openAuditParts({ foundation, version, publicUrl: config.publicUrl }),
  };
}

async function ensureIndexes({ audit, alerts, uptime, servers, blacklist }: Slices): Promise<void> {
  await Promise.all([audit, alerts, uptime, servers, blacklist].map((part) => part.ensureIndexes()));
}
