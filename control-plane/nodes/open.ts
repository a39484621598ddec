import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { loadNodeLink, loadProcessSampleCodec } from '../../proto/load.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import { installCommand } from '../install/install.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createAgentHost } from './agents/host.js';
import { type AgentRequestRelay, createAgentRequests } from './agents/requests.js';
import { createAgentRequestStore } from './agents/requests-store.js';
import { createAgentUpkeep } from './agents/upkeep.js';
import type { CertificateAuthority } from './enrolment/certificate-authority.js';
import { createEnrolment } from './enrolment/enrolment.js';
import { createAgentToken, createProbeToken } from './enrolment/join-tokens.js';
import { createLocationCache } from './locations/directory.js';
import type { Percentiles } from './locations/lateness.js';
import { specifiedLocations } from './locations/locations.js';
import { createLocationRoutes } from './locations/routes.js';
import { createLocationStore } from './locations/store.js';
import type {
  AgentCredentials,
  AgentOwner,
  AgentRequests,
  AssignmentSource,
  LocationDirectory,
  ProbeCommands,
  RecordHandler,
} from './nodes.js';
import { createPresence } from './presence/presence.js';
import { createRegistry } from './presence/registry.js';
import { createPresenceStore } from './presence/store.js';
import { createUpkeep, type Upkeep } from './presence/upkeep.js';
import { createAssignmentFeeds } from './probes/assignments.js';
import { createCommands } from './probes/commands.js';
import { createCommandStore } from './probes/commands-store.js';
import { createProbeHost } from './probes/host.js';
import { createProbeRoutes } from './probes/routes.js';
import { welcomeOf } from './probes/welcome.js';
import { createNodeStore } from './store.js';
import { createGateway } from './streams/gateway.js';
import { createNodeServer, type NodeServer } from './streams/node-server.js';

export interface NodesDependencies {
  db: Db;
  runTransaction: RunTransaction;
  audit: AuditLog;
  pager: Pager;
  authority: CertificateAuthority;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Without a slash at the end; install commands begin with it. */
  publicUrl: string;
  /** `host:port` (several with commas between) that join tokens tell nodes to dial. */
  grpcAddress: string;
  /** For locations without canary targets of their own. */
  canaryTargets: readonly string[];
  detectionDelay(code: string): Promise<Percentiles | null> | Percentiles | null;
  /** Whether the votes of a location are void at the moment. */
  isQuarantined(code: string): boolean;
}

/** The nodes' side of the control plane. */
export interface Nodes {
  locations: LocationDirectory;
  commands: ProbeCommands;
  agentCredentials: AgentCredentials;
  /** null until `createServer` was called. */
  agentRequests(): AgentRequests | null;
  routes: Route[];
  /** Probes with a live stream, over all control planes. */
  connectedProbes(): number;
  /** The gRPC server, once there is someone who knows the monitors and takes what nodes report. Call it once. */
  createServer(partners: { source: AssignmentSource; handler: RecordHandler; agents: AgentOwner }): NodeServer;
  /** Ends the periodic work; after `drain`. */
  stop(): Promise<void>;
}

const CONTROL_PLANE_ID_BYTES = 8;

/** Makes the indexes and the specification's locations, reads what there is, and keeps it up to date. */
export async function openNodes(dependencies: NodesDependencies): Promise<Nodes> {
  const { db, clock, random, logger, authority, audit } = dependencies;
  const controlPlane = random.bytes(CONTROL_PLANE_ID_BYTES).toString('hex');
  const store = createNodeStore(db);
  const locationStore = createLocationStore(db);
  const presenceStore = createPresenceStore(db, 'node_presence');
  const commandStore = createCommandStore(db);
  const requestStore = createAgentRequestStore(db);
  await Promise.all([store, presenceStore, commandStore, requestStore].map((indexed) => indexed.ensureIndexes()));
  await locationStore.seed(specifiedLocations(clock.now()));

  const registry = createRegistry();
  const presence = createPresence({ store: presenceStore, registry, controlPlane });
  const { canaryTargets } = dependencies;
  const locations = createLocationCache({ store: locationStore, presence, canaryTargets });
  const upkeep = createUpkeep({ store, presenceStore, presence, registry, locations, clock, logger });
  await upkeep.look();
  const lookSoon = () => {
    upkeep.look().catch((error: unknown) => logger.warn({ err: error }, 'a change of the nodes is noticed later'));
  };
  let source: AssignmentSource | null = null;
  const commands = createCommands({
    store: commandStore,
    registry,
    presence,
    assignment: (location, monitorId) => source?.assignment(location, monitorId) ?? null,
    refresh: async (monitorIds) => source?.refresh(monitorIds),
    controlPlane,
    clock,
    logger,
  });
  locations.onCanariesChanged((code) => {
    for (const { session, drained } of registry.all()) {
      if (session.node.location === code) session.send(welcomeOf(session.node, drained, locations, clock));
    }
  });

  const { runTransaction, ids, grpcAddress: address, detectionDelay, pager } = dependencies;
  const { fingerprint } = authority;
  const tokens = { store, locations: locationStore, audit, clock, random, fingerprint, address };
  let agentUpkeep: Upkeep | null = null;
  let agentRequests: AgentRequestRelay | null = null;
  return {
    locations,
    commands,
    agentCredentials: {
      createJoinToken: (tx, by) => createAgentToken(tokens, tx, by),
      async revoke(tx, serverId) {
        await store.revoke(tx, serverId, clock.now());
        tx.afterCommit(() => {
          agentUpkeep?.look().catch((error: unknown) => logger.warn({ err: error }, 'an agent is sent away later'));
        });
      },
    },
    agentRequests: () => agentRequests,
    connectedProbes: presence.connectedProbes,
    routes: [
      ...createProbeRoutes({
        store,
        presence,
        audit,
        pager,
        clock,
        createJoinToken: (tx, actor, location) => createProbeToken(tokens, tx, actor, location),
        installCommand: (token) => installCommand('probe.sh', dependencies.publicUrl, token),
        nodesChanged: lookSoon,
      }),
      ...createLocationRoutes({
        store: locationStore,
        presenceStore,
        locations,
        audit,
        pager,
        clock,
        detectionDelay,
        isQuarantined: dependencies.isQuarantined,
        locationsChanged: lookSoon,
      }),
    ],
    createServer({ source: given, handler, agents }) {
      source = given;
      const feeds = createAssignmentFeeds({ source: given, members: presence.members, clock, random });
      presence.onMembersChanged(feeds.membersChanged);
      const enrolment = createEnrolment({ store, audit, agents, runTransaction, ids, clock, random });
      const shared = { store, controlPlane, clock, random, logger };
      const agentPresence = createPresenceStore(db, 'agent_presence');
      const agentHost = createAgentHost({ presenceStore: agentPresence, owner: agents, clock, logger });
      agentUpkeep = createAgentUpkeep({ ...shared, host: agentHost });
      const codec = loadProcessSampleCodec();
      agentRequests = createAgentRequests({ ...shared, host: agentHost, store: requestStore, codec });
      const gateway = createGateway({
        ...shared,
        enrolment,
        probes: createProbeHost({ presenceStore, presence, registry, locations, feeds, source: given, handler, clock }),
        agents: agentHost,
      });
      const NodeLink = loadNodeLink();
      const announceDrain = upkeep.beat;
      return createNodeServer({ NodeLink, gateway, authority, announceDrain, clock, random, logger });
    },
    async stop() {
      upkeep.stop();
      agentUpkeep?.stop();
      await agentRequests?.stop();
      await commands.stop();
    },
  };
}
