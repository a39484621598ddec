import type { Registry } from 'prom-client';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { authorize } from '../../../control-plane/http/authenticate.js';
import type { Nodes } from '../../../control-plane/nodes/open.js';
import type { NodeServer } from '../../../control-plane/nodes/streams/node-server.js';
import { createPlanCache } from '../../../control-plane/plans/cache.js';
import type { PlanName } from '../../../control-plane/plans/plans.js';
import { createReferences } from '../../../control-plane/references/references.js';
import type { ServerDocument, ServerStatus } from '../../../control-plane/servers/documents.js';
import { type OpenServers, serversSlice } from '../../../control-plane/servers/open.js';
import { openServerRecords, type ServerRecords } from '../../../control-plane/servers/records.js';
import type { AcceptedSample } from '../../../control-plane/servers/servers.js';
import { createDatabaseTime } from '../../../control-plane/storage/clock/database-time.js';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createTimelineStore } from '../../../control-plane/timeline/store.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { startApp, type TestApp } from '../app.js';
import { testDatabase } from '../database.js';
import { enrolNode, type FakeNode } from '../node-link/fake-node.js';
import { fakeHandler, fakeMonitors, nodeDependencies, openTestAuthority } from '../node-link/node-side.js';
import { openNodes } from '../node-link/open-nodes.js';
import { neverSetAside } from '../set-aside.js';

/** The servers API and gRPC port on a real database. It records the calls to the alert rules. */
export interface ServersApp extends TestApp {
  mongo: Mongo;
  data: ServerRecords;
  /** The metrics of both slices. */
  metrics: Registry;
  servers: OpenServers;
  nodes: Nodes;
  server: NodeServer;
  address: string;
  accepted: AcceptedSample[];
  changes: { id: string; from: ServerStatus; to: ServerStatus }[];
  gone: ServerDocument[];
  defaultRules: string[];
  /** Enrols an agent of the workspace of the app. */
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
  const dependencies = nodeDependencies(mongo, await openTestAuthority(mongo), fakeMonitors());
  const nodes = await openNodes(dependencies);
  const accounts = createWorkspacesStore(mongo.db);
  const data = openServerRecords({ db: mongo.db, setAside: neverSetAside });
  const timeline = createTimelineStore(mongo.db, dependencies.ids);
  await Promise.all([data.ensureIndexes(), timeline.ensureIndexes()]);
  const seen = {
    accepted: [] as AcceptedSample[],
    changes: [] as ServersApp['changes'],
    gone: [] as ServerDocument[],
    defaultRules: [] as string[],
  };
  const servers = serversSlice.open({
    ...{ ...dependencies, runStatusTransaction: dependencies.runTransaction },
    clock,
    logger,
    records: data,
    authorize: (ctx) => authorize(ctx, 'servers:read'),
    agents: {
      credentials: nodes.agentCredentials,
      requests: nodes.agentRequests,
      installCommand: async (token) => `install ${token}`,
      address: 'picket.test:8443',
    },
    timeline,
    reception: nodes.agentReception,
    references: createReferences(mongo.db, () => []),
    databaseTime: createDatabaseTime(mongo.db),
    status: {
      async changed(_tx, { _id }, { from, to }) {
        seen.changes.push({ id: _id, from, to });
      },
      async edited() {},
      async deleted(_tx, _actor, server) {
        seen.gone.push(server);
      },
    },
    listeners: [{ accepted: (samples) => void seen.accepted.push(...samples) }],
    ensureDefaultRules: async (_tx, actor) => void seen.defaultRules.push(actor.workspaceId),
    workspace: (id) => accounts.find(id),
    planOf: createPlanCache(accounts, clock),
    plans: accounts,
    leases: createLeaseStore(mongo.db),
    owner: `test-${dependencies.ids.next('job')}`,
  });
  const server = nodes.createServer({
    handler: fakeHandler(),
    agents: servers.agentOwner,
  });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const app = await startApp({
    mongo,
    plan,
    clock,
    routes: servers.routes,
    mounts: servers.mounts,
  });
  return {
    ...app,
    ...seen,
    mongo,
    data,
    metrics: dependencies.registry,
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

/** Returns a sample message with these values, by series name. */
export function sampleMessageOf(atMs: number, values: Record<string, number>): MetricSample {
  return {
    atMs,
    values: Object.entries(values).map(([series, value]) => {
      const [metric = '', ...device] = series.split(':');
      return { metric: metric.toUpperCase() as 'CPU_PERCENT', device: device.join(':'), value };
    }),
  };
}
