import { Metadata, Server, ServerCredentials, type ServerDuplexStream, type ServiceError, status } from '@grpc/grpc-js';
import type { Assignments } from '../../../proto/generated/picket/link/v1/Assignments.js';
import type { CheckResult__Output } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import type { FromNode__Output } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import type { Inventory__Output } from '../../../proto/generated/picket/link/v1/Inventory.js';
import type { MetricSample__Output } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import type { MonitorAssignment } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { NodeLinkHandlers } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import type { NodeStatus__Output } from '../../../proto/generated/picket/link/v1/NodeStatus.js';
import type { ProcessSample__Output } from '../../../proto/generated/picket/link/v1/ProcessSample.js';
import type { RunNow } from '../../../proto/generated/picket/link/v1/RunNow.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { Welcome } from '../../../proto/generated/picket/link/v1/Welcome.js';
import { loadCheckResultCodec, loadMetricSampleCodec, loadNodeLink } from '../../../proto/load.js';
import { type TestAuthority, testAuthority } from './authority.js';

type NodeStream = ServerDuplexStream<FromNode__Output, ToNode>;

export interface Session {
  stream: NodeStream;
  hello: Hello__Output;
  credential: string;
  open: boolean;
}

/** The behaviour of the control plane. A test may change it at any time. */
export interface Script {
  /** Secrets of join tokens that are good for one use each. */
  secrets: Set<string>;
  /** Credentials that may open a stream. */
  credentials: Set<string>;
  welcome: Welcome;
  assignments: MonitorAssignment[];
  revision: number;
  /** false: batches are stored but not acknowledged, as if the process died before the acknowledgement. */
  acknowledge: boolean;
  /** false: batches are read and dropped, as if the process died before the write. */
  store: boolean;
  /** false: pings stay unanswered. */
  answerPings: boolean;
  /** The offset of the clock of this control plane. */
  clockOffsetMs: number;
  reject(seq: number): string | null;
  /** Sent instead of a welcome. */
  refuse: { code: string; detail: string; retryAfterMs?: number } | null;
  /** Sent with each pong. */
  reconnectSpreadMs: number;
}

export interface FakeControlPlane {
  port: number;
  authority: TestAuthority;
  script: Script;
  sessions: Session[];
  statuses: NodeStatus__Output[];
  batchSizes: number[];
  /** The number of opened streams, including refused ones. */
  attempts: number;
  /** The highest number of batches that waited for their acknowledgement at the same time. */
  unacknowledgedMax: number;
  inventories: Inventory__Output[];
  processes: ProcessSample__Output[];
  /** Everything that an agent reported and that is stored, by sequence number. */
  samples: Map<number, MetricSample__Output>;
  /** Everything that a probe reported and that is stored, by sequence number. */
  stored: Map<number, CheckResult__Output>;
  /** Sequence numbers that were received twice with different contents. */
  conflicts: number[];
  records: number;
  joinToken(secret: string, addresses?: string, fingerprint?: string): string;
  results(): CheckResult__Output[];
  send(message: ToNode): void;
  runNow(command: RunNow): void;
  change(message: Assignments): void;
  /** Acknowledges every batch so far. */
  acknowledgeAll(): void;
  /** Ends all streams with an error. */
  cut(): void;
  /** Closes the port and all connections, as kill -9 does. */
  kill(): void;
}

function refusal(code: status, details: string): ServiceError {
  return Object.assign(new Error(details), { code, details, metadata: new Metadata() });
}

/** What the handlers of the protocol share. */
interface Inner {
  plane: FakeControlPlane;
  isAgents: boolean;
  /** The identity that a node gets. */
  nodeId: string;
  location: string;
  /** The records that were received, by sequence number. */
  encoded: Map<number, string>;
  unacknowledged: number;
}

/** Starts a control plane with the real protocol over real TLS. It keeps all data in memory and follows its script. */
export async function fakeControlPlane(
  options: { port?: number; authority?: TestAuthority; kind?: 'probe' | 'agent' } = {},
): Promise<FakeControlPlane> {
  const authority = options.authority ?? (await testAuthority());
  const isAgents = options.kind === 'agent';
  const identity = isAgents ? { nodeId: 'srv_test', location: '' } : { nodeId: 'prb_test', location: 'fra' };
  const server = new Server({ 'grpc.keepalive_time_ms': 15_000, 'grpc.keepalive_timeout_ms': 5_000 });
  const inner: Omit<Inner, 'plane'> = { ...identity, isAgents, encoded: new Map(), unacknowledged: 0 };
  const plane = newPlane(authority, { script: newScript(identity), server, inner });
  server.addService(loadNodeLink().service, createHandlers(Object.assign(inner, { plane })));
  const pair = { cert_chain: Buffer.from(authority.chainPem), private_key: Buffer.from(authority.keyPem) };
  plane.port = await new Promise<number>((resolve, reject) => {
    server.bindAsync(`127.0.0.1:${options.port ?? 0}`, ServerCredentials.createSsl(null, [pair]), (error, bound) =>
      error === null ? resolve(bound) : reject(error),
    );
  });
  return plane;
}

function newScript(welcome: Welcome): Script {
  return {
    secrets: new Set(),
    credentials: new Set(),
    welcome,
    assignments: [],
    revision: 1,
    acknowledge: true,
    store: true,
    answerPings: true,
    clockOffsetMs: 0,
    reject: () => null,
    refuse: null,
    reconnectSpreadMs: 0,
  };
}

function credentialOf(metadata: Metadata): string {
  return String(metadata.get('authorization')[0] ?? '').replace(/^Bearer /, '');
}

function begin({ plane: { script }, isAgents }: Inner, session: Session): void {
  const { stream, hello } = session;
  if (script.refuse !== null) {
    stream.write({ refused: script.refuse });
    stream.end();
    return;
  }
  stream.write({ welcome: { ...script.welcome, serverTimeMs: Date.now() + script.clockOffsetMs } });
  if (!isAgents && hello.assignmentsRevision !== script.revision) {
    stream.write({ assignments: { revision: script.revision, snapshot: true, last: true, put: script.assignments } });
  }
}

/** Returns a function that stores the records of a batch and acknowledges it, as the script says. */
function createTakeBatch(inner: Inner) {
  const { plane, isAgents, encoded } = inner;
  const { script } = plane;
  const [codec, sampleCodec] = [loadCheckResultCodec(), loadMetricSampleCodec()];
  return (session: Session, batch: NonNullable<FromNode__Output['batch']>): void => {
    plane.batchSizes.push(batch.records.length);
    inner.unacknowledged += 1;
    plane.unacknowledgedMax = Math.max(plane.unacknowledgedMax, inner.unacknowledged);
    const rejections: { seq: number; reason: string }[] = [];
    batch.records.forEach((bytes, index) => {
      const seq = batch.firstSeq + index;
      const text = Buffer.from(bytes).toString('base64');
      plane.records += 1;
      if (encoded.has(seq) && encoded.get(seq) !== text) plane.conflicts.push(seq);
      encoded.set(seq, text);
      const reason = script.reject(seq);
      if (reason !== null) rejections.push({ seq, reason });
      else if (script.store && isAgents) plane.samples.set(seq, sampleCodec.decode(bytes));
      else if (script.store) plane.stored.set(seq, codec.decode(bytes));
    });
    if (!script.acknowledge || !script.store) return;
    inner.unacknowledged -= 1;
    session.stream.write({ ack: { upToSeq: batch.firstSeq + batch.records.length - 1, rejections } });
  };
}

function createHandlers(inner: Inner): NodeLinkHandlers {
  const { plane, nodeId, location } = inner;
  const { script } = plane;
  let made = 0;
  function issue(): string {
    made += 1;
    const credential = `credential-${made}`;
    script.credentials.add(credential);
    return credential;
  }
  return {
    Enrol(call, callback) {
      if (!script.secrets.delete(call.request.token)) {
        return callback(refusal(status.UNAUTHENTICATED, 'unknown, used or expired'));
      }
      callback(null, { nodeId, credential: issue(), location: script.welcome.location ?? location });
    },
    Rotate(call, callback) {
      if (!script.credentials.has(credentialOf(call.metadata)))
        return callback(refusal(status.UNAUTHENTICATED, 'revoked'));
      callback(null, { credential: issue() });
    },
    Connect: createConnect(inner),
  };
}

function createConnect(inner: Inner): NodeLinkHandlers['Connect'] {
  const { plane } = inner;
  const { script } = plane;
  const takeBatch = createTakeBatch(inner);
  return (stream) => {
    const credential = credentialOf(stream.metadata);
    plane.attempts += 1;
    if (!script.credentials.has(credential)) {
      stream.emit('error', refusal(status.UNAUTHENTICATED, 'the credential is revoked'));
      return;
    }
    let session: Session | null = null;
    stream.on('data', (message: FromNode__Output) => {
      if (message.hello) {
        session = { stream, hello: message.hello, credential, open: true };
        inner.unacknowledged = 0;
        plane.sessions.push(session);
        begin(inner, session);
      }
      if (message.batch && session !== null) takeBatch(session, message.batch);
      if (message.status) plane.statuses.push(message.status);
      if (message.inventory) plane.inventories.push(message.inventory);
      if (message.processes) plane.processes.push(message.processes);
      if (message.ping && script.answerPings) {
        const { clockOffsetMs, reconnectSpreadMs } = script;
        const serverTimeMs = Date.now() + clockOffsetMs;
        stream.write({ pong: { nonce: message.ping.nonce, serverTimeMs, reconnectSpreadMs } });
      }
    });
    const over = () => {
      if (session !== null) session.open = false;
    };
    stream.on('end', () => {
      over();
      stream.end();
    });
    stream.on('cancelled', over);
    stream.on('error', over);
  };
}

/** A control plane without a port. */
function newPlane(
  authority: TestAuthority,
  { script, server, inner }: { script: Script; server: Server; inner: Omit<Inner, 'plane'> },
): FakeControlPlane {
  const openSessions = () => plane.sessions.filter((session) => session.open);
  const plane: FakeControlPlane = {
    port: 0,
    authority,
    script,
    sessions: [],
    statuses: [],
    batchSizes: [],
    attempts: 0,
    unacknowledgedMax: 0,
    inventories: [],
    processes: [],
    samples: new Map(),
    stored: new Map(),
    conflicts: [],
    records: 0,
    joinToken(secret, addresses = `127.0.0.1:${plane.port}`, fingerprint = authority.fingerprint) {
      return `pjt_${Buffer.from(JSON.stringify({ v: 1, s: secret, f: fingerprint, a: addresses })).toString('base64url')}`;
    },
    results: () => [...plane.stored.entries()].sort(([a], [b]) => a - b).map(([, result]) => result),
    send(message) {
      for (const session of openSessions()) session.stream.write(message);
    },
    runNow: (command) => plane.send({ runNow: command }),
    change(message) {
      script.revision = Number(message.revision);
      plane.send({ assignments: message });
    },
    acknowledgeAll() {
      inner.unacknowledged = 0;
      plane.send({ ack: { upToSeq: Math.max(0, ...inner.encoded.keys()) } });
    },
    cut() {
      for (const session of openSessions()) session.stream.emit('error', refusal(status.UNAVAILABLE, 'cut off'));
    },
    kill: () => server.forceShutdown(),
  };
  return plane;
}
