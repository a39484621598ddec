import type { Db } from 'mongodb';
import type { Clock } from '../../kernel/clock.js';
import type { Logger } from '../../kernel/logger.js';
import type { Random } from '../../kernel/random.js';
import { loadNodeLink } from '../../proto/load.js';
import type { AuditLog } from '../audit/audit.js';
import type { Pager } from '../http/paging.js';
import type { Route } from '../http/route.js';
import type { Ids } from '../storage/ids.js';
import type { RunTransaction } from '../storage/transaction.js';
import { createAssignmentFeeds } from './assignments.js';
import type { CertificateAuthority } from './certificate-authority.js';
import { createCommands } from './commands.js';
import { createCommandStore } from './commands-store.js';
import { createLocationCache } from './directory.js';
import { createEnrolment, createJoinToken } from './enrolment.js';
import { createGateway } from './gateway.js';
import { installCommand } from './install.js';
import type { Percentiles } from './lateness.js';
import { createLocationRoutes } from './location-routes.js';
import { specifiedLocations } from './locations.js';
import { createLocationStore } from './locations-store.js';
import { createNodeServer, type NodeServer } from './node-server.js';
import type { AssignmentSource, LocationDirectory, ProbeCommands, RecordHandler } from './nodes.js';
import { createPresence } from './presence.js';
import { createPresenceStore } from './presence-store.js';
import { createProbeRoutes } from './probe-routes.js';
import { createRegistry } from './registry.js';
import { createNodeStore } from './store.js';
import { createUpkeep } from './upkeep.js';
import { welcomeOf } from './welcome.js';

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
  routes: Route[];
  /** Probes with a live stream, over all control planes. */
  connectedProbes(): number;
  /** The gRPC server, once there is someone who knows the monitors and takes the results. Call it once. */
  createServer(partners: { source: AssignmentSource; handler: RecordHandler }): NodeServer;
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
  const presenceStore = createPresenceStore(db);
  const commandStore = createCommandStore(db);
  await Promise.all([store.ensureIndexes(), presenceStore.ensureIndexes(), commandStore.ensureIndexes()]);
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
  return {
    locations,
    commands,
    connectedProbes: presence.connectedProbes,
    routes: [
      ...createProbeRoutes({
        store,
        presence,
        audit,
        pager,
        clock,
        createJoinToken: (tx, actor, location) => createJoinToken(tokens, tx, actor, location),
        installCommand: (token) => installCommand(dependencies.publicUrl, token),
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
    createServer({ source: given, handler }) {
      source = given;
      const feeds = createAssignmentFeeds({ source: given, members: presence.members, clock, random });
      presence.onMembersChanged(feeds.membersChanged);
      const enrolment = createEnrolment({ store, audit, runTransaction, ids, clock, random });
      const shared = { store, presenceStore, presence, registry, locations, clock, random, logger };
      const gateway = createGateway({ ...shared, controlPlane, enrolment, feeds, source: given, handler });
      const NodeLink = loadNodeLink();
      const announceDrain = upkeep.beat;
      return createNodeServer({ NodeLink, gateway, authority, announceDrain, clock, random, logger });
    },
    async stop() {
      upkeep.stop();
      await commands.stop();
    },
  };
}
