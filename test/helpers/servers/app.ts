import { createPlanCache } from '../../../control-plane/accounts/plan-cache.js';
import type { PlanName } from '../../../control-plane/accounts/plans.js';
import { createAccountsStore } from '../../../control-plane/accounts/store.js';
import { authorize } from '../../../control-plane/http/authenticate.js';
import { type Nodes, openNodes } from '../../../control-plane/nodes/open.js';
import type { NodeServer } from '../../../control-plane/nodes/streams/node-server.js';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { openServerData, type ServerData } from '../../../control-plane/servers/history/server-data.js';
import { type OpenServers, openServers } from '../../../control-plane/servers/open.js';
import type { AcceptedReport } from '../../../control-plane/servers/servers.js';
import { createLeaseStore } from '../../../control-plane/storage/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import type { MetricReport } from '../../../proto/generated/picket/link/v1/MetricReport.js';
import { startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { enrolNode, type FakeNode } from '../node-link/fake-node.js';
import { fakeHandler, fakeMonitors, nodeDependencies, openTestAuthority } from '../node-link/node-side.js';

/** The servers' API and gRPC port on a real database, with what the rules were told written down. */
export interface ServersApp extends TestApp {
  mongo: Mongo;
  data: ServerData;
  servers: OpenServers;
  nodes: Nodes;
  server: NodeServer;
  address: string;
  accepted: AcceptedReport[];
  changes: { id: string; from: ServerStatus; to: ServerStatus }[];
  gone: ServerDocument[];
  defaultRules: string[];
  /** An agent of the app's workspace. */
  join(hostname?: string): Promise<FakeNode>;
  stop(): Promise<void>;
}

export async function startServersApp(
  options: { plan?: PlanName; clock?: Clock; beside?: ServersApp } = {},
): Promise<ServersApp> {
  const { plan = 'Enterprise', clock = systemClock } = options;
  const own = options.beside === undefined ? await testDatabase() : null;
  const mongo = own ?? options.beside?.mongo;
  if (mongo === undefined) throw new Error('no database');
  const logger = createLogger({ name: 'test', level: 'silent' });
  const dependencies = nodeDependencies(mongo, await openTestAuthority(mongo), { publicUrl: 'https://picket.example' });
  const nodes = await openNodes(dependencies);
  const accounts = createAccountsStore(mongo.db);
  const data = openServerData(mongo.db);
  const timeline = createTimelineStore(mongo.db, dependencies.ids);
  await Promise.all([data.ensureIndexes(), timeline.ensureIndexes()]);
  const seen = {
    accepted: [] as AcceptedReport[],
    changes: [] as ServersApp['changes'],
    gone: [] as ServerDocument[],
    defaultRules: [] as string[],
  };
  const servers = openServers({
    ...dependencies,
    clock,
    logger,
    data,
    agents: {
      credentials: nodes.agentCredentials,
      requests: nodes.agentRequests,
      installCommand: (token) => `install ${token}`,
    },
    timeline,
    status: {
      async changed(_tx, { _id }, { from, to }) {
        seen.changes.push({ id: _id, from, to });
      },
      async edited() {},
      async deleted(_tx, _actor, server) {
        seen.gone.push(server);
      },
    },
    listeners: [{ accepted: (reports) => void seen.accepted.push(...reports) }],
    ensureDefaultRules: async (_tx, actor) => void seen.defaultRules.push(actor.workspaceId),
    workspace: (id) => accounts.find(id),
    planOf: createPlanCache(accounts, clock),
    plans: accounts,
    leases: createLeaseStore(mongo.db),
    owner: `test-${dependencies.ids.next('job')}`,
  });
  const server = nodes.createServer({
    source: fakeMonitors(),
    handler: fakeHandler(),
    agents: servers.agentOwner,
  });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const app = await startApp({
    mongo,
    plan,
    clock,
    routes: servers.routes,
    mounts: ({ keyAuthenticator }) => [
      servers.metricsMount((ctx) => authorize(ctx, [keyAuthenticator], 'servers:read')),
    ],
  });
  return {
    ...app,
    ...seen,
    mongo,
    data,
    servers,
    nodes,
    server,
    address,
    async join(hostname = 'web-1.example') {
      const made = await app.request<{ token: string }>('POST', '/v1/servers/join-tokens');
      return enrolNode(made.body.data.token, { address, hostname, version: '0.9.0' });
    },
    async stop() {
      await app.close();
      await server.drain();
      await nodes.stop();
      await own?.drop();
    },
  };
}

/** A report of these values, by series name. */
export function reportOf(atMs: number, values: Record<string, number>): MetricReport {
  return {
    atMs,
    values: Object.entries(values).map(([series, value]) => {
      const [metric = '', ...device] = series.split(':');
      return { metric: metric.toUpperCase() as 'CPU_PERCENT', device: device.join(':'), value };
    }),
  };
}
