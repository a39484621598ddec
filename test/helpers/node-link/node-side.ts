import { Registry } from 'prom-client';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createOperators } from '../../../control-plane/accounts/operators.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { type Actor, systemActor } from '../../../control-plane/actor.js';
import { createAuditLog } from '../../../control-plane/audit/record.js';
import { createAuditStore } from '../../../control-plane/audit/store.js';
import { createPager } from '../../../control-plane/http/paging.js';
import { createAuthorityStore } from '../../../control-plane/nodes/enrolment/authority-store.js';
import {
  type CertificateAuthority,
  openCertificateAuthority,
} from '../../../control-plane/nodes/enrolment/certificate-authority.js';
import { createProbeToken } from '../../../control-plane/nodes/enrolment/join-tokens.js';
import { createLocationStore } from '../../../control-plane/nodes/locations/store.js';
import type {
  AgentOwner,
  AssignmentChange,
  AssignmentSource,
  NodeRecord,
  ProbeIdentity,
  RecordHandler,
  RecordRejection,
} from '../../../control-plane/nodes/nodes.js';
import type { Nodes } from '../../../control-plane/nodes/open.js';
import { createNodeStore } from '../../../control-plane/nodes/store.js';
import type { NodeServer } from '../../../control-plane/nodes/streams/node-server.js';
import { createCursors } from '../../../control-plane/storage/cursor.js';
import { ENROLMENT_TRANSACTION } from '../../../control-plane/storage/deadlines.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createRunTransaction, type RunTransaction } from '../../../control-plane/storage/transaction.js';
import { type Clock, systemClock } from '../../../kernel/clock.js';
import { createLogger, type LogLevel } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import { allWork } from '../standing.js';
import { enrolNode, type FakeNode } from './fake-node.js';
import { openNodes } from './open-nodes.js';

type NodesNeeds = Parameters<typeof openNodes>[0];

/** A fake of the monitors slice, shared by all control planes of a test. */
export interface FakeMonitors extends AssignmentSource {
  put(location: string, ...assignments: MonitorAssignment[]): void;
  remove(location: string, ...monitorIds: string[]): void;
}

export function fakeMonitors(): FakeMonitors {
  const held = new Map<string, Map<string, MonitorAssignment>>();
  const listeners = new Set<(change: AssignmentChange) => void>();
  const of = (location: string) => held.get(location) ?? new Map<string, MonitorAssignment>();
  const tell = (change: AssignmentChange) => {
    for (const listener of listeners) listener(change);
  };
  return {
    ready: () => Promise.resolve(),
    *monitors(location) {
      for (const { monitorId, version, intervalSeconds } of of(location).values()) {
        yield {
          id: String(monitorId),
          workspace_id: 'ws_test',
          version: Number(version),
          interval_seconds: Number(intervalSeconds),
          locations: [location],
        };
      }
    },
    assignment: (location, monitorId) => of(location).get(monitorId) ?? null,
    refresh: () => Promise.resolve(),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    put(location, ...assignments) {
      const monitors = of(location);
      for (const assignment of assignments) monitors.set(String(assignment.monitorId), assignment);
      held.set(location, monitors);
      tell({ put: assignments.map((assignment) => ({ location, assignment })), remove: [] });
    },
    remove(location, ...monitorIds) {
      for (const id of monitorIds) of(location).delete(id);
      tell({ put: [], remove: monitorIds.map((monitorId) => ({ location, monitorId })) });
    },
  };
}

export function assignmentOf(monitorId: string, version = 1): MonitorAssignment {
  return {
    monitorId,
    version,
    type: 'http',
    url: `https://${monitorId}.example/`,
    intervalSeconds: 60,
    phaseMs: 1_000,
    timeoutMs: 10_000,
    retries: 1,
    retryDelayMs: 5_000,
  };
}

/** A fake of the servers slice for tests without agents. */
export const noAgents: AgentOwner = {
  async enrolled() {},
  inventory() {},
  records: { accept: async () => [], delayMs: () => 0 },
};

/** A fake of the results slice, which keeps the batches it gets. */
export interface FakeHandler extends RecordHandler {
  /** How long each batch must wait. Defaults to no wait. */
  waitMs: number;
  taken: { node: ProbeIdentity; seqs: number[]; receivedAtMs: number }[];
  /** Runs in each call before it resolves. Defaults to nothing. */
  before: (node: ProbeIdentity, records: NodeRecord[]) => Promise<RecordRejection[] | undefined> | undefined;
}

export function fakeHandler(): FakeHandler {
  const handler: FakeHandler = {
    taken: [],
    waitMs: 0,
    before: () => undefined,
    delayMs: () => handler.waitMs,
    async accept(node, records, receivedAtMs) {
      const rejections = await handler.before(node, records);
      handler.taken.push({ node, seqs: records.map((record) => record.seq), receivedAtMs });
      return rejections ?? [];
    },
  };
  return handler;
}

/** The nodes slice of one control plane, with a real gRPC port. */
export interface NodeSide {
  nodes: Nodes;
  server: NodeServer;
  handler: FakeHandler;
  authority: CertificateAuthority;
  /** `127.0.0.1:port`. */
  address: string;
  actor: Actor;
  token(location: string): Promise<string>;
  /** Enrols a new node of the location. It connects to this control plane. */
  enrol(location: string, options?: { hostname?: string; version?: string }): Promise<FakeNode>;
  stop(): Promise<void>;
}

const OPERATORS = { id: 'ws_operators', name: 'Operators', plan: 'Enterprise' } as const;

/** All control planes of an installation have the same key. */
const SERVER_KEY = Buffer.alloc(32, 7);

export function nodeDependencies(
  mongo: Mongo,
  authority: CertificateAuthority,
  source: AssignmentSource,
  options: { clock?: Clock; logLevel?: LogLevel } & Partial<NodesNeeds> = {},
): NodesNeeds & { runTransaction: RunTransaction } {
  const { clock = systemClock, logLevel = 'silent', ...rest } = options;
  const ids = createIds(clock, systemRandom);
  const memberships = createMembershipsStore(mongo.db);
  return {
    db: mongo.db,
    source,
    runTransaction: createRunTransaction(mongo.client),
    runEnrolmentTransaction: createRunTransaction(mongo.client, ENROLMENT_TRANSACTION),
    audit: createAuditLog({ store: createAuditStore(mongo.db), ids }),
    pager: createPager(createCursors(SERVER_KEY)),
    authority,
    ids,
    clock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: logLevel }),
    installCommand: async (token) => `install ${token}`,
    operatorsWorkspace: async () => OPERATORS.id,
    isOperator: createOperators({ workspaces: createWorkspacesStore(mongo.db), memberships }).includes,
    memberships,
    grpcAddress: '127.0.0.1:1',
    canaryTargets: [],
    ingestBytesMax: 64 * 1_048_576,
    standingOf: allWork,
    registry: new Registry(),
    ...rest,
  };
}

export function openTestAuthority(mongo: Mongo, clock: Clock = systemClock): Promise<CertificateAuthority> {
  return openCertificateAuthority({
    store: createAuthorityStore(mongo.db),
    secretBox: createSecretBox(SERVER_KEY, systemRandom),
    clock,
    random: systemRandom,
    logger: createLogger({ name: 'test', level: 'silent' }),
    hosts: ['127.0.0.1'],
  });
}

export async function startNodeSide(
  mongo: Mongo,
  monitors: AssignmentSource,
  options: {
    handler?: FakeHandler;
    agents?: AgentOwner;
    clock?: Clock;
    logLevel?: LogLevel;
  } & Partial<NodesNeeds> = {},
): Promise<NodeSide> {
  const { handler = fakeHandler(), agents = noAgents, ...rest } = options;
  const authority = rest.authority ?? (await openTestAuthority(mongo, rest.clock));
  const dependencies = nodeDependencies(mongo, authority, monitors, rest);
  const nodes = await openNodes(dependencies);
  const server = nodes.createServer({ handler, agents });
  const address = `127.0.0.1:${await server.listen('127.0.0.1', 0)}`;
  const actor = systemActor(OPERATORS, 'test');
  const side: NodeSide = {
    nodes,
    server,
    handler,
    authority,
    address,
    actor,
    async token(location) {
      const made = await dependencies.runTransaction((tx) =>
        createProbeToken(
          {
            ...dependencies,
            store: createNodeStore(mongo.db),
            locations: createLocationStore(mongo.db),
            fingerprint: authority.fingerprint,
            address,
          },
          tx,
          actor,
          location,
        ),
      );
      return made.token;
    },
    enrol: async (location, enrolment) => enrolNode(await side.token(location), enrolment),
    async stop() {
      await server.drain();
      await nodes.stop();
    },
  };
  return side;
}
