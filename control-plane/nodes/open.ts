import type { Db } from 'mongodb';
import type { Registry } from 'prom-client';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { loadNodeLink, loadProcessSampleCodec } from '../../proto/load.js';
import type { MembershipsStore } from '../accounts/memberships-store.js';
import type { AuditLog } from '../audit/audit.js';
import { createGuessLimit } from '../http/limits/guess-limit.js';
import { createRateLimitStore } from '../http/limits/rate-limit-store.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { StandingOf } from '../plans/cache.js';
import type { Job, OpenedSlice, Slice } from '../slice.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction, Transaction } from '../storage/transaction.js';
import { createAgentHost } from './agents/host.js';
import { createAgentRequests } from './agents/requests.js';
import { createAgentRequestStore } from './agents/requests-store.js';
import { createAgentSessions } from './agents/sessions.js';
import { createAgentSync } from './agents/sync.js';
import type { CertificateAuthority } from './enrolment/certificate-authority.js';
import { createEnrolment } from './enrolment/enrolment.js';
import { createAgentToken, createProbeToken } from './enrolment/join-tokens.js';
import { createAgentTokens, createEndJoinTokens } from './enrolment/token-list.js';
import { builtInLocations } from './locations/built-in.js';
import { createLocationCache, type LocationCache } from './locations/cache.js';
import { createLocationRoutes, type LocationUse } from './locations/routes.js';
import { createLocationStore } from './locations/store.js';
import type {
  AgentCredentials,
  AgentOwner,
  AgentReception,
  AgentRequests,
  AssignedSlots,
  AssignmentSource,
  LocationDirectory,
  ProbeCommands,
  ProbeScans,
  RecordHandler,
} from './nodes.js';
import { createControlPlaneStore } from './presence/control-planes-store.js';
import { createPresence, type Presence } from './presence/presence.js';
import { createReception } from './presence/reception.js';
import { createPresenceStore } from './presence/store.js';
import type { NodeSync } from './presence/sync.js';
import { createAssignmentFeeds } from './probes/assignments/assignments.js';
import { createCommands } from './probes/commands.js';
import { createCommandStore } from './probes/commands-store.js';
import { createProbeHost } from './probes/host.js';
import { createProbeRoutes } from './probes/routes.js';
import { createProbeScans } from './probes/scans.js';
import { createProbeSessions, type ProbeSessions } from './probes/sessions.js';
import { createProbeShares } from './probes/shares.js';
import { createShareStore } from './probes/shares-store.js';
import { createProbeSync } from './probes/sync.js';
import { welcomeOf } from './probes/welcome.js';
import { createNodeStore } from './store.js';
import { createConnections } from './streams/connections/connections.js';
import { createGateway } from './streams/gateway.js';
import { createIngestMemory } from './streams/memory/ingest-memory.js';
import { createStreamMetrics } from './streams/metrics.js';
import { createNodeServer, type NodeServer } from './streams/node-server.js';

interface NodesNeeds {
  db: Db;
  /** Which monitors each location checks. */
  source: AssignmentSource;
  /** An installer waits, and its connection ends after 10 s: an enrolment that is stored later would use up its token. */
  runEnrolmentTransaction: RunTransaction;
  audit: AuditLog;
  pager: Pager;
  authority: CertificateAuthority;
  ids: Ids;
  clock: Clock;
  random: Random;
  logger: Logger;
  /** Resolves to the command that installs a probe and joins it with this token. */
  installCommand(token: string): Promise<string>;
  /** Resolves to the id of the operators' workspace, whose audit log has the rotations of probes' credentials. */
  operatorsWorkspace(): Promise<string | null>;
  /** Resolves to whether the person is an operator, as the transaction sees it. Only operators let probes join. */
  isOperator(tx: Transaction, userId: string): Promise<boolean>;
  memberships: Pick<MembershipsStore, 'find'>;
  /** `host:port` that nodes connect to, or several separated by commas. Join tokens contain it. */
  grpcAddress: string;
  /** For locations without canary targets of their own. */
  canaryTargets: readonly string[];
  standingOf: StandingOf;
  /** The memory for what nodes send and what is decoded of it. */
  ingestBytesMax: number;
  /** Of Prometheus metrics. */
  registry: Registry;
}

/** Probes and agents, as other slices use them. */
export interface Nodes extends OpenedSlice {
  locations: LocationDirectory;
  commands: ProbeCommands;
  scans: ProbeScans;
  assignedSlots: AssignedSlots;
  agentCredentials: AgentCredentials;
  agentRequests: AgentRequests;
  agentReception: AgentReception;
  routes: Route[];
  jobs: Job[];
  locationRoutes(use: LocationUse): Route[];
  /** Returns the number of probes with a live stream on any control plane. */
  connectedProbes(): number;
  /** Returns how many probes and agents are connected to this control plane. */
  openStreams(): number;
  probeStatuses: Presence['statuses'];
  /** Returns the gRPC server; call it once. `handler` stores check results, `agents` owns what agents send. */
  createServer(owners: { handler: RecordHandler; agents: AgentOwner }): NodeServer;
  /** Also creates the built-in locations. */
  ensureIndexes(): Promise<void>;
  /** Resolves when it has read which nodes are connected. */
  ready(): Promise<void>;
  /** Stops the periodic tasks; call it after `drain`. */
  stop(): Promise<void>;
}

const CONTROL_PLANE_ID_BYTES = 8;

type Parts = ReturnType<typeof partsOf>;

function openNodes(needs: NodesNeeds): Nodes {
  const parts = partsOf(needs);
  const { presence, probeSync, agentSync, agentRequests, commands, locations, shares, joinGuesses, reception } = parts;
  return {
    locations,
    commands,
    scans: parts.scans,
    assignedSlots: { ...shares, refresh: probeSync.refresh },
    agentCredentials: agentCredentials(needs, parts),
    agentRequests,
    agentReception: reception,
    connectedProbes: presence.connectedProbes,
    openStreams: () => parts.probeSessions.all().length + parts.agentSessions.count(),
    probeStatuses: presence.statuses,
    ...routesOf(needs, parts),
    jobs: [joinGuesses, reception],
    memberAccess: [{ name: 'join_tokens_revoked', end: createEndJoinTokens(parts.store) }],
    createServer: (owners) => serverOf(needs, parts, owners),
    async ensureIndexes() {
      await Promise.all(parts.stores.map((store) => store.ensureIndexes()));
      await parts.locationStore.seed(builtInLocations(needs.clock.now()));
    },
    async ready() {
      await probeSync.refresh();
      sendCanaryChanges(parts.probeSessions, locations, needs.clock);
    },
    async stop() {
      probeSync.stop();
      agentSync.stop();
      shares.stop();
      await agentRequests.stop();
      await commands.stop();
    },
  };
}

export const nodesSlice: Slice<'nodes', NodesNeeds, Nodes> = {
  name: 'nodes',
  idPrefixes: ['prb', 'jtk'],
  auditActions: [
    'probe.join_token_created',
    'probe.join_token_revoked',
    'probe.enrolled',
    'probe.drained',
    'probe.undrained',
    'probe.revoked',
    'location.created',
    'location.updated',
    'location.deleted',
  ],
  open(needs) {
    const nodes = openNodes(needs);
    return { ...nodes, jobs: [...nodes.jobs, { start: () => {}, stop: nodes.stop }] };
  },
};

function partsOf(needs: NodesNeeds) {
  const { db, source, standingOf, clock, random, logger, canaryTargets } = needs;
  const controlPlane = random.bytes(CONTROL_PLANE_ID_BYTES).toString('hex');
  const stores = storesOf(db);
  const probeSessions = createProbeSessions();
  const presence = createPresence({ store: stores.presenceStore, sessions: probeSessions, controlPlane, clock });
  const locations = createLocationCache({ store: stores.locationStore, presence, canaryTargets });
  const probeSync = createProbeSync({ ...stores, presence, sessions: probeSessions, locations, clock, logger });
  const agentSessions = createAgentSessions(createPresenceStore(db, 'agent_presence'));
  const shared = { controlPlane, clock, random, logger };
  const { controlPlaneStore } = stores;
  return {
    ...{ ...stores, controlPlane, probeSessions, presence, locations, probeSync, agentSessions },
    stores: stores.withIndexes,
    shares: createProbeShares({ store: stores.shareStore, nodes: stores.store, clock, logger }),
    commands: createCommands({
      ...{ ...shared, store: stores.commandStore, sessions: probeSessions, presence },
      assignment: source.assignment,
      refresh: source.refresh,
    }),
    agentSync: createAgentSync({ ...shared, sessions: agentSessions, store: stores.store, standingOf }),
    agentRequests: createAgentRequests({
      ...{ ...shared, sessions: agentSessions, store: stores.requestStore },
      codec: loadProcessSampleCodec(),
    }),
    reception: createReception({
      ...{ ...shared, store: controlPlaneStore, presenceStore: agentSessions.presenceStore, standingOf },
    }),
    scans: createProbeScans({ sessions: probeSessions, logger }),
    joinGuesses: createGuessLimit({ what: 'join token', store: createRateLimitStore(db), clock, logger }),
    refreshSoon: () => refreshSoon(probeSync, logger),
  };
}

function storesOf(db: Db) {
  const stores = {
    store: createNodeStore(db),
    presenceStore: createPresenceStore(db, 'node_presence'),
    commandStore: createCommandStore(db),
    shareStore: createShareStore(db),
    requestStore: createAgentRequestStore(db),
    controlPlaneStore: createControlPlaneStore(db),
  };
  return { ...stores, locationStore: createLocationStore(db), withIndexes: Object.values(stores) };
}

function sendCanaryChanges(sessions: ProbeSessions, locations: LocationCache, clock: Clock): void {
  locations.onCanariesChanged((code) => {
    for (const { session, drained } of sessions.all()) {
      if (session.node.location === code) session.send(welcomeOf(session.node, drained, locations, clock));
    }
  });
}

function refreshSoon(sync: NodeSync, logger: Logger): void {
  sync.refresh().catch((error: unknown) => {
    logger.warn({ err: error }, 'failed to read the nodes after a change; the next periodic read sees it');
  });
}

function agentCredentials(needs: NodesNeeds, parts: Parts): AgentCredentials {
  const { clock, logger } = needs;
  return {
    createJoinToken: (tx, by) => createAgentToken(tokenNeeds(needs, parts), tx, by),
    joinTokens: createAgentTokens({ store: parts.store, clock }),
    async revoke(tx, serverId) {
      await parts.store.revoke(tx, serverId, clock.now());
      tx.afterCommit(() => refreshSoon(parts.agentSync, logger));
    },
  };
}

function tokenNeeds(
  { audit, ids, clock, random, authority, grpcAddress }: NodesNeeds,
  { store, locationStore }: Parts,
) {
  const { fingerprint } = authority;
  return { store, locations: locationStore, audit, ids, clock, random, fingerprint, address: grpcAddress };
}

function routesOf(needs: NodesNeeds, parts: Parts): Pick<Nodes, 'routes' | 'locationRoutes'> {
  const { audit, pager, clock, installCommand } = needs;
  const { store, presence, presenceStore, locationStore, locations, refreshSoon: changed } = parts;
  const shared = { audit, pager, clock };
  return {
    routes: createProbeRoutes({
      ...{ ...shared, store, presence },
      createJoinToken: (tx, actor, location) => createProbeToken(tokenNeeds(needs, parts), tx, actor, location),
      installCommand,
      nodesChanged: changed,
    }),
    locationRoutes: (use) =>
      createLocationRoutes({
        ...{ ...shared, ...use, store: locationStore, nodes: store, presenceStore, locations },
        locationsChanged: changed,
      }),
  };
}

function serverOf(needs: NodesNeeds, parts: Parts, owners: Parameters<Nodes['createServer']>[0]): NodeServer {
  const { source, audit, authority, operatorsWorkspace, isOperator, memberships, ids, clock, random, logger } = needs;
  const { store, controlPlane, presence, presenceStore, probeSessions, locations, agentSessions, probeSync } = parts;
  const { handler, agents } = owners;
  const connections = createConnections({ clock, logger });
  const feeds = createAssignmentFeeds({ source, members: presence.members, shares: parts.shares, clock, random });
  presence.onMembersChanged(feeds.membersChanged);
  const metrics = createStreamMetrics(needs.registry);
  const memory = createIngestMemory({ bytesMax: needs.ingestBytesMax, registry: needs.registry });
  const shared = { metrics, clock, random, logger };
  const gateway = createGateway({
    ...{ ...shared, store, controlPlane, connections, memory, joinGuesses: parts.joinGuesses },
    enrolment: createEnrolment({
      ...{ store, audit, agents, operatorsWorkspace, isOperator, memberships, ids, clock, random },
      runTransaction: needs.runEnrolmentTransaction,
    }),
    probes: createProbeHost({
      presenceStore,
      presence,
      sessions: probeSessions,
      locations,
      feeds,
      source,
      handler,
      scans: parts.scans,
      clock,
    }),
    agents: createAgentHost({
      ...{ ...shared, sessions: agentSessions, owner: agents, credit: memory.credit },
      standingOf: needs.standingOf,
    }),
  });
  return createNodeServer({
    ...shared,
    NodeLink: loadNodeLink(),
    ...{ gateway, connections },
    authority,
    async announceDrain() {
      await Promise.all([probeSync.heartbeat(), parts.reception.stop()]);
    },
  });
}
