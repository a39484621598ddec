import { status } from '@grpc/grpc-js';
import type { Clock } from '../../../kernel/clock.js';
import type { Random } from '../../../kernel/random.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import type { Pong } from '../../../proto/generated/picket/link/v1/Pong.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { NodeStatus } from '../documents.js';
import type { NodeIdentity, RecordHandler } from '../nodes.js';
import { readBatch } from './batch.js';
import { createFlow, type Flow } from './flow.js';
import type { HoldBatch } from './hold/held-batches.js';
import { createMessagePace } from './limits/message-pace.js';
import type { StreamCredit } from './memory/credit.js';
import type { IngestMemory } from './memory/ingest-memory.js';
import { isReading, type SessionState } from './session-state.js';
import { readStatus } from './status.js';
import type { NodeStream, ReceivedMessage, StreamEnd } from './stream.js';

export interface Session<N extends NodeIdentity = NodeIdentity> {
  readonly node: N;
  readonly streamId: string;
  /** Distinguishes processes that share a credential. */
  readonly instance: string;
  /** SHA-256 of the credential that opened the stream. */
  readonly credentialHash: string;
  state(): SessionState;
  /**
   * Ends the state `claiming`: the stream is the node's. Its batches wait for `previousBatches`, those of the node's
   * previous stream. Returns false when the stream has ended since.
   */
  welcome(message: ToNode, previousBatches: Promise<void>): boolean;
  /** Returns whether the node has sent anything within this time. Time in which nothing was read does not count. */
  heardWithin(ms: number): boolean;
  /** Returns the last status that the node has sent. */
  status(): NodeStatus | null;
  send(message: ToNode): void;
  /** Sends a message that is useless later. Returns false when it was dropped. */
  offer(message: ToNode): boolean;
  /** Returns the number of messages that wait until the node reads. */
  backlog(): number;
  drain(reconnectAfterMs: number): void;
  /** Ends the stream once the batches in progress are stored and acknowledged. */
  finish(end: StreamEnd): void;
  /** Sends the refusal to the node and ends the stream. Waiting batches are dropped. Without a time, the node decides. */
  refuse(code: string, detail: string, grpcCode: status, retryAfterMs?: number): void;
  /** Resolves when no batch is in progress. */
  idle(): Promise<void>;
  closed: Promise<void>;
}

interface SessionNeeds<N extends NodeIdentity> {
  stream: NodeStream;
  node: N;
  streamId: string;
  instance: string;
  credentialHash: string;
  handler: RecordHandler<N>;
  clock: Clock;
  random: Random;
  holdBatch: HoldBatch;
  memory: Pick<IngestMemory, 'decode'>;
  /** What the node may send at a time. */
  credit: StreamCredit;
  /** Returns the time over which nodes of this kind are to return after the loss of their connections. */
  reconnectSpreadMs(): number;
  onHello(session: Session<N>, hello: Hello__Output): void;
  /** Called for a message that only this kind of node sends. */
  onMessage(session: Session<N>, message: ReceivedMessage): void;
  onStorageError(session: Session<N>, error: unknown): void;
  /** Called for a message that is refused with its code: it ends the stream. */
  onRefused(session: Session<N>, code: string): void;
  /** Called for a record that is refused for its size. The other records of its batch are handled. */
  onRecordRefused(reason: string): void;
}

/**
 * Returns the session of a stream: it reads messages, passes batches on in order, answers pings and ends silent
 * streams.
 */
export function createSession<N extends NodeIdentity>(needs: SessionNeeds<N>): Session<N> {
  const { stream, node, streamId, instance, credentialHash } = needs;
  let lastStatus: NodeStatus | null = null;
  let previousBatches: Promise<void> = Promise.resolve();
  const flow = createFlow({
    ...needs,
    previousBatches: () => previousBatches,
    onStorageError: (error) => needs.onStorageError(session, error),
  });
  const { machine, writer, watch, ingest } = flow;
  const session: Session<N> = {
    ...{ node, streamId, instance, credentialHash },
    state: machine.state,
    welcome(message, previous) {
      if (machine.state() !== 'claiming') return false;
      previousBatches = previous;
      writer.write({ welcome: { ...message.welcome, windowBytes: needs.credit.renew() } });
      return machine.transition('live');
    },
    heardWithin: watch.heardWithin,
    status: () => lastStatus,
    send(message) {
      if (isReading(machine.state())) writer.write(message);
    },
    offer: (message) => machine.state() === 'live' && writer.offer(message),
    backlog: writer.backlog,
    drain(reconnectAfterMs) {
      if (machine.transition('draining')) writer.write({ drain: { reconnectAfterMs } });
    },
    finish: flow.finish,
    refuse: flow.refuse,
    idle: ingest.idle,
    closed: flow.closed,
  };
  const receive = createReceiver(flow, {
    pong: (nonce) => ({ nonce, serverTimeMs: needs.clock.now(), reconnectSpreadMs: needs.reconnectSpreadMs() }),
    refused: (code) => needs.onRefused(session, code),
    recordRefused: needs.onRecordRefused,
    hello: (hello) => needs.onHello(session, hello),
    status(message) {
      lastStatus = message;
    },
    other: (message) => needs.onMessage(session, message),
  });
  const pace = createPacedReading(flow, node, needs.clock);
  stream.on('data', (message: ReceivedMessage) => {
    watch.heard();
    if (!isReading(machine.state())) return;
    pace(message);
    receive(message);
  });
  stream.on('end', () => flow.finish({ code: status.OK, details: '' }));
  for (const event of ['cancelled', 'finish', 'close']) stream.on(event, () => machine.transition('closed'));
  // grpc-js has already answered its own errors, for example a message that is too long.
  stream.on('error', () => machine.transition('finishing'));
  return session;
}

/** Returns the function that pauses reading after a message that came too soon. Batches have a budget of their own. */
function createPacedReading({ gate }: Flow, { kind }: NodeIdentity, clock: Clock): (message: ReceivedMessage) => void {
  const pace = createMessagePace(kind, clock);
  return ({ batch, wireBytes = 0 }) => {
    const delayMs = pace.received(batch ? 0 : wireBytes);
    if (delayMs === 0) return;
    gate.hold('pace');
    clock.after(delayMs, () => gate.release('pace'));
  };
}

/** Returns the function that handles each kind of message. */
function createReceiver(
  { machine, writer, ingest, ...flow }: Flow,
  on: {
    pong(nonce: number): Pong;
    refused(code: string): void;
    recordRefused(reason: string): void;
    hello(hello: Hello__Output): void;
    status(nodeStatus: NodeStatus): void;
    other(message: ReceivedMessage): void;
  },
): (message: ReceivedMessage) => void {
  const refuse = (code: string, detail: string) => {
    on.refused(code);
    flow.refuse(code, detail, status.INVALID_ARGUMENT);
  };
  return (message) => {
    if (message.violation !== undefined) return refuse('message_refused', message.violation);
    if (machine.state() === 'greeting') {
      if (!message.hello) refuse('hello_missing', 'the first message must be a Hello');
      else if (machine.transition('claiming')) on.hello(message.hello);
      return;
    }
    if (message.ping) writer.write({ pong: on.pong(message.ping.nonce) });
    else if (message.status) on.status(readStatus(message.status));
    else if (message.batch) {
      const batch = readBatch(message.batch);
      if ('code' in batch) return refuse(batch.code, batch.detail);
      for (const { reason } of batch.rejections) on.recordRefused(reason);
      ingest.take(batch);
    } else if (machine.state() === 'live' || machine.state() === 'draining') on.other(message);
  };
}
