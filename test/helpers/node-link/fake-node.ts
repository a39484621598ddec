import { createHash } from 'node:crypto';
import { connect as connectTls } from 'node:tls';
import { credentials, Metadata, type ServiceError, status } from '@grpc/grpc-js';
import type { Ack__Output } from '../../../proto/generated/picket/link/v1/Ack.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import type { FromNode } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { MetricSample } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import type { MonitorAssignment__Output } from '../../../proto/generated/picket/link/v1/MonitorAssignment.js';
import type { NodeLinkClient } from '../../../proto/generated/picket/link/v1/NodeLink.js';
import type { NodeStatus } from '../../../proto/generated/picket/link/v1/NodeStatus.js';
import type { RunNow__Output } from '../../../proto/generated/picket/link/v1/RunNow.js';
import type { ToNode__Output } from '../../../proto/generated/picket/link/v1/ToNode.js';
import { loadCheckResultCodec, loadMetricSampleCodec, loadNodeLink } from '../../../proto/load.js';
import { deadlineMs } from '../deadline.js';

const NodeLink = loadNodeLink();
const codec = loadCheckResultCodec();
const sampleCodec = loadMetricSampleCodec();
const WAIT_MS = deadlineMs(30_000);

/** Returns the contents of a join token. */
export function readJoinToken(token: string): { secret: string; fingerprint: string; address: string } {
  const { v, s, f, a } = JSON.parse(Buffer.from(token.replace(/^pjt_/, ''), 'base64url').toString());
  if (!token.startsWith('pjt_') || v !== 1) throw new Error('no join token');
  return { secret: s, fingerprint: f, address: a };
}

/** Opens a client that trusts only the certificate with this fingerprint, as a node does. */
export async function openClient(address: string, fingerprint: string): Promise<NodeLinkClient> {
  const authority = await fetchPinned(address, fingerprint);
  return new NodeLink(address, credentials.createSsl(Buffer.from(authority)), {
    'grpc.ssl_target_name_override': 'picket-control-plane',
    'grpc.default_authority': 'picket-control-plane',
    'grpc.use_local_subchannel_pool': 1,
    'grpc.enable_retries': 0,
  });
}

/** Returns the certificate (PEM) of the presented chain with the fingerprint. Throws if there is none. */
export function fetchPinned(address: string, fingerprint: string): Promise<string> {
  const split = address.lastIndexOf(':');
  return new Promise((resolve, reject) => {
    const socket = connectTls(
      {
        host: address.slice(0, split),
        port: Number(address.slice(split + 1)),
        rejectUnauthorized: false,
        ALPNProtocols: ['h2'],
      },
      () => {
        let certificate = socket.getPeerCertificate(true);
        for (let depth = 0; depth < 5; depth++) {
          if (createHash('sha256').update(certificate.raw).digest('hex') === fingerprint) {
            resolve(`-----BEGIN CERTIFICATE-----\n${certificate.raw.toString('base64')}\n-----END CERTIFICATE-----\n`);
            break;
          }
          certificate = certificate.issuerCertificate;
        }
        reject(new Error('the fingerprint is not that of a presented certificate'));
        socket.destroy();
      },
    );
    socket.once('error', reject);
  });
}

export interface ConnectOptions {
  /** Another control plane than the one in the token. */
  address?: string;
  /** null: without a name. */
  instance?: string | null;
  credential?: string;
  heldRevision?: number;
  protocol?: number;
  version?: string;
  /** 0: never. */
  pingMs?: number;
  /** false: the test sends the first message. */
  hello?: boolean;
}

export interface StreamEnd {
  code: status;
  details: string;
}

/** One stream of a fake node. */
export interface FakeStream {
  received: ToNode__Output[];
  acks: Ack__Output[];
  runNows: RunNow__Output[];
  /** The assignments that the node has after all messages. */
  assignments: Map<string, MonitorAssignment__Output>;
  revision(): number;
  /** Resolves when the stream has ended. */
  ended: Promise<StreamEnd>;
  isOver(): boolean;
  send(message: FromNode): boolean;
  status(report: NodeStatus): void;
  /** Sends one batch; resolves with its ack. */
  results(results: CheckResult[]): Promise<Ack__Output>;
  /** The same with the samples of an agent. */
  reports(reports: MetricSample[]): Promise<Ack__Output>;
  /** The same with any bytes. */
  records(records: Uint8Array[]): Promise<Ack__Output>;
  /** Resolves with the first result of `match` for a message received before or after this call. */
  next<T>(match: (message: ToNode__Output) => T | null | undefined | false): Promise<T>;
  refusal(): Promise<{ code: string; detail: string }>;
  /** Ends the writing side of the stream. */
  end(): void;
  /** Drops the connection without ending the stream. */
  cut(): void;
  /** Stops reading, so that the buffers fill up. */
  pause(): void;
  resume(): void;
}

export interface FakeNode {
  id: string;
  location: string;
  credential: string;
  fingerprint: string;
  address: string;
  /** Resolves with a welcomed stream. Rejects with the end of the stream if there is no welcome. */
  connect(options?: ConnectOptions): Promise<FakeStream>;
  /** As `connect`, without waiting for the welcome. */
  open(options?: ConnectOptions): Promise<FakeStream>;
  /** Exchanges the credential for a new one and uses the new one, unless `keep` is set. */
  rotate(options?: { credential?: string; keep?: boolean }): Promise<string>;
  close(): void;
}

/** Enrols a node with a join token over the real port. */
export async function enrolNode(
  token: string,
  options: { version?: string; hostname?: string; address?: string } = {},
): Promise<FakeNode> {
  const { secret, fingerprint, address: tokenAddress } = readJoinToken(token);
  const address = options.address ?? tokenAddress;
  const client = await openClient(address, fingerprint);
  const request = { token: secret, version: options.version ?? '1.2.3', hostname: options.hostname ?? 'fake-node' };
  const answer = await new Promise<{ nodeId: string; credential: string; location: string }>((resolve, reject) => {
    client.enrol(request, { deadline: Date.now() + WAIT_MS }, (error, response) => {
      if (error !== null || response === undefined) reject(error ?? new Error('no response'));
      else resolve(response);
    });
  }).finally(() => client.close());
  return createFakeNode({ ...answer, id: answer.nodeId, fingerprint, address });
}

let instances = 0;

export function createFakeNode(identity: {
  id: string;
  location: string;
  credential: string;
  fingerprint: string;
  address: string;
}): FakeNode {
  const clients: NodeLinkClient[] = [];
  const instance = `fake-${process.pid}-${instances++}`;
  const node: FakeNode = {
    ...identity,
    async connect(options) {
      const stream = await node.open(options);
      const over = stream.ended.then(({ code, details }) => {
        throw Object.assign(new Error(`not welcomed: ${status[code]} ${details}`), { code, details });
      });
      await Promise.race([stream.next((message) => message.welcome), over]);
      over.catch(() => {});
      return stream;
    },
    async open(options = {}) {
      const client = await openClient(options.address ?? node.address, node.fingerprint);
      clients.push(client);
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${options.credential ?? node.credential}`);
      if (options.instance !== null) metadata.set('picket-instance', options.instance ?? instance);
      return openStream(client, metadata, options);
    },
    async rotate(options = {}) {
      const client = await openClient(node.address, node.fingerprint);
      const metadata = new Metadata();
      metadata.set('authorization', `Bearer ${options.credential ?? node.credential}`);
      const credential = await new Promise<string>((resolve, reject) => {
        client.rotate({}, metadata, { deadline: Date.now() + WAIT_MS }, (error: ServiceError | null, response) => {
          if (error !== null || response === undefined) reject(error ?? new Error('no response'));
          else resolve(response.credential);
        });
      }).finally(() => client.close());
      if (options.keep !== true) node.credential = credential;
      return credential;
    },
    close() {
      for (const client of clients) client.close();
    },
  };
  return node;
}

function openStream(client: NodeLinkClient, metadata: Metadata, options: ConnectOptions): FakeStream {
  const call = client.connect(metadata);
  const received: ToNode__Output[] = [];
  const waits = createWaits(received);
  const held = createHeldAssignments();
  let over = false;
  let seq = 0;
  let nonce = 0;
  const ended = new Promise<StreamEnd>((resolve) => {
    call.on('status', ({ code, details }) => {
      over = true;
      clearInterval(pings);
      resolve({ code, details });
      client.close();
    });
  });
  call.on('error', () => {
    // The `status` event has the same information.
  });
  call.on('data', (message: ToNode__Output) => {
    received.push(message);
    if (message.assignments) held.apply(message.assignments);
    waits.wake();
  });
  const send = (message: FromNode) => !over && call.write(message);
  const pings = setInterval(() => send({ ping: { nonce: ++nonce } }), options.pingMs || 5_000);
  pings.unref();
  if (options.pingMs === 0) clearInterval(pings);
  if (options.hello !== false) send({ hello: helloOf(options) });
  const stream: FakeStream = {
    received,
    get acks() {
      return received.flatMap((message) => (message.ack ? [message.ack] : []));
    },
    get runNows() {
      return received.flatMap((message) => (message.runNow ? [message.runNow] : []));
    },
    assignments: held.assignments,
    revision: held.revision,
    ended,
    isOver: () => over,
    send,
    status: (report) => void send({ status: report }),
    results: (results) => stream.records(results.map((result) => codec.encode(result))),
    reports: (reports) => stream.records(reports.map((report) => sampleCodec.encode(report))),
    records(records) {
      const firstSeq = seq + 1;
      seq += records.length;
      const upTo = seq;
      send({ batch: { firstSeq, records, droppedTotal: 0 } });
      return stream.next((message) => (message.ack && message.ack.upToSeq >= upTo ? message.ack : null));
    },
    next: waits.next,
    refusal: () => stream.next((message) => message.refused),
    end: () => call.end(),
    cut() {
      call.cancel();
      client.close();
    },
    pause: () => void call.pause(),
    resume: () => void call.resume(),
  };
  return stream;
}

/** The assignments that the node has after the messages so far. */
function createHeldAssignments() {
  const assignments = new Map<string, MonitorAssignment__Output>();
  let revision = 0;
  let snapshot: Map<string, MonitorAssignment__Output> | null = null;
  const apply = (message: NonNullable<ToNode__Output['assignments']>) => {
    if (message.snapshot) snapshot ??= new Map();
    const target = snapshot ?? assignments;
    for (const put of message.put) target.set(put.monitorId, put);
    for (const id of message.remove) target.delete(id);
    if (!message.last) return;
    revision = message.revision;
    if (snapshot === null) return;
    assignments.clear();
    for (const [id, put] of snapshot) assignments.set(id, put);
    snapshot = null;
  };
  return { assignments, apply, revision: () => revision };
}

/** Waits for messages. `wake` looks at all of them again. */
function createWaits(received: readonly ToNode__Output[]) {
  const waiting = new Set<() => void>();
  const wake = () => {
    for (const look of [...waiting]) look();
  };
  const next: FakeStream['next'] = (match) =>
    new Promise((resolve, reject) => {
      const finish = (settle: () => void) => {
        clearTimeout(timer);
        waiting.delete(look);
        settle();
      };
      const look = () => {
        for (const message of received) {
          const found = match(message);
          if (found) return finish(() => resolve(found));
        }
      };
      const timer = setTimeout(() => finish(() => reject(new Error('the expected message did not come'))), WAIT_MS);
      // A stream that was refused leaves its wait for the welcome behind.
      timer.unref();
      waiting.add(look);
      look();
    });
  return { next, wake };
}

function helloOf({ version = '1.2.3', protocol = 1, heldRevision = 0 }: ConnectOptions) {
  return { version, protocol, assignmentsRevision: heldRevision };
}
