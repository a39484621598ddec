import { createGuardedFetch } from '../kernel/guarded-fetch.js';
import { createTargetGuard } from '../kernel/target-guard.js';
import type { PlanOf } from './accounts/plan-cache.js';
import type { ChannelIds, DefaultRules } from './alert-rules/alert-rules.js';
import { createAlertRules } from './alert-rules/open.js';
import type { BlacklistDirectory, ListingListener } from './blacklist/blacklist.js';
import { blacklistMessages } from './blacklist/rules/messages.js';
import type { Config } from './config.js';
import type { Foundation } from './foundation.js';
import type { Route } from './http/route.js';
import type { RuleIncidents, Timeline } from './incidents/incidents.js';
import { platformActor } from './incidents/service.js';
import { installCommand } from './install/install.js';
import type { Nodes } from './nodes/open.js';
import { openServerData } from './servers/history/server-data.js';
import { type OpenServers, openServers } from './servers/open.js';
import { createRemoteWrite, type RemoteWrite } from './servers/prometheus/remote-write.js';
import { createEncodeWriteRequest } from './servers/prometheus/remote-write-request.js';
import { serverMessages } from './servers/rules/messages.js';
import { metricOfSeries } from './servers/samples/sample.js';

/** Servers and the rules on them, put together. */
export interface ServerParts
  extends Pick<OpenServers, 'agentOwner' | 'metricsMount'>,
    Pick<DefaultRules, 'ensureDefaultListingRule'> {
  routes: Route[];
  listingListener: ListingListener;
  jobs: { start(): void; stop(): Promise<void> }[];
  ensureIndexes(): Promise<void>;
}

export function openServerParts(given: {
  config: Config;
  foundation: Foundation;
  nodes: Nodes;
  incidents: RuleIncidents;
  timeline: Timeline;
  channels: ChannelIds;
  blacklist: BlacklistDirectory;
  planOf: PlanOf;
}): ServerParts {
  const { config, foundation, nodes, incidents, timeline, channels } = given;
  const { mongo, accounts } = foundation;
  const data = openServerData(mongo.db);
  const rules = createAlertRules({
    ...foundation,
    ...{ db: mongo.db, incidents, channels, metricOfSeries },
    messages: serverMessages,
    listingMessages: blacklistMessages,
    blacklist: given.blacklist,
    servers: data.store,
    history: data.history,
    systemActor: platformActor,
  });
  const remoteWrite = openRemoteWrite(config, foundation);
  const alsoWrites = remoteWrite === null ? [] : [remoteWrite];
  const servers = openServers({
    ...foundation,
    ...{ data, timeline },
    agents: {
      credentials: nodes.agentCredentials,
      requests: nodes.agentRequests,
      installCommand: (token) => installCommand('agent.sh', config.publicUrl, token),
    },
    status: rules.statusListener,
    listeners: [rules.reportListener, ...alsoWrites],
    ensureDefaultRules: rules.ensureDefaultRules,
    workspace: (id) => accounts.find(id),
    planOf: given.planOf,
    plans: accounts,
  });
  return {
    agentOwner: servers.agentOwner,
    metricsMount: servers.metricsMount,
    listingListener: rules.listingListener,
    ensureDefaultListingRule: rules.ensureDefaultListingRule,
    routes: [...servers.routes, ...rules.routes],
    jobs: [...rules.jobs, ...servers.jobs, ...alsoWrites],
    async ensureIndexes() {
      await Promise.all([data.ensureIndexes(), rules.ensureIndexes()]);
    },
  };
}

function openRemoteWrite({ remoteWrite }: Config, { clock, logger }: Foundation): RemoteWrite | null {
  if (remoteWrite === null) return null;
  // The operator names the receiver, which may well stand beside us.
  const fetch = createGuardedFetch({ guard: createTargetGuard({ allowPrivate: true }), clock });
  return createRemoteWrite({ ...remoteWrite, encode: createEncodeWriteRequest(), fetch, clock, logger });
}
