import { type ServerDuplexStream, status } from '@grpc/grpc-js';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { FromNode__Output } from '../../../proto/generated/picket/link/v1/FromNode.js';
import type { Hello__Output } from '../../../proto/generated/picket/link/v1/Hello.js';
import type { ToNode } from '../../../proto/generated/picket/link/v1/ToNode.js';
import type { NodeReport } from '../documents.js';
import type { NodeIdentity, RecordHandler } from '../nodes.js';
import { readBatch } from './batch.js';
import { createIdleWatch } from './idle-watch.js';
import { createIngest } from './ingest.js';
import { createSessionMachine, isReading, type SessionState } from './session-state.js';
import { readReport } from './status.js';
import { createStreamWriter, type StreamWriter } from './writer.js';

export type NodeStream = ServerDuplexStream<FromNode__Output, ToNode>;

/** With what a stream ends: a gRPC status and a sentence for the node's log. */
export interface Ending {
  code: status;
  details: string;
}

const IDLE_MS_MAX = 25_000;
/** An ended stream whose node reads no more is forgotten after this. */
const ENDING_MS_MAX = 8_000;

export interface Session<N extends NodeIdentity = NodeIdentity> {
  readonly node: N;
  readonly streamId: string;
  /** Tells processes that share a credential apart. */
  readonly instance: string;
  /** SHA-256 of the credential that opened the stream. */
  readonly credentialHash: string;
  state(): SessionState;
  /**
   * Ends `claiming`: the stream is the node's. Batches wait for `forerunner`, what the node's stream before this
   * one still has in hand. false when the stream ended meanwhile.
   */
  welcome(message: ToNode, forerunner: Promise<void>): boolean;
  /** Whether the node said anything within this time. Time in which nothing was read does not count. */
  heardWithin(ms: number): boolean;
  report(): NodeReport | null;
  send(message: ToNode): void;
  /** For what is worth nothing later; false when it was dropped. */
  offer(message: ToNode): boolean;
  /** Messages that the node has not been able to take yet. */
  backlog(): number;
  drain(reconnectAfterMs: number): void;
  /** Ends the stream once the batches in hand are stored and acknowledged. */
  finish(ending: Ending): void;
  /** Names the refusal to the node and ends the stream; batches that wait are given up. */
  refuse(code: string, detail: string, grpcCode: status): void;
  /** Resolves when the batches in hand are done with. */
  idle(): Promise<void>;
  closed: Promise<void>;
}

export interface SessionDependencies<N extends NodeIdentity> {
  stream: NodeStream;
  node: N;
  streamId: string;
  instance: string;
  credentialHash: string;
  handler: RecordHandler<N>;
  clock: Clock;
  onHello(session: Session<N>, hello: Hello__Output): void;
  /** A message that only this kind of node sends. */
  onMessage(session: Session<N>, message: FromNode__Output): void;
  onStorageError(session: Session<N>, error: unknown): void;
}

/** One node's stream: reads messages, hands batches on in order, answers pings, ends what is silent. */
export function createSession<N extends NodeIdentity>(dependencies: SessionDependencies<N>): Session<N> {
  const { stream, clock } = dependencies;
  let report: NodeReport | null = null;
  let forerunner: Promise<void> = Promise.resolve();
  let resolveClosed: () => void = () => {};
  const closed = new Promise<void>((resolve) => {
    resolveClosed = resolve;
  });
  const machine = createSessionMachine((state) => {
    if (state === 'live') stream.resume();
    if (state === 'claiming' || state === 'finishing') stream.pause();
    if (state !== 'closed') return;
    watch.stop();
    ingest.stop();
    // What the peer still sends must be read and dropped, or the connection's window fills with it.
    stream.resume();
    resolveClosed();
  });
  const end = createEnding(stream, clock, () => machine.transition('closed'));
  const writer = createStreamWriter(stream, () => {
    end({ code: status.RESOURCE_EXHAUSTED, details: 'the node reads too slowly' });
  });
  const finish = (ending: Ending) => {
    if (!machine.transition('finishing')) return;
    void ingest.idle().then(() => writer.whenFlushed(() => end(ending)));
  };
  const refuse = (code: string, detail: string, grpcCode: status) => {
    if (!machine.transition('finishing')) return;
    ingest.stop();
    writer.write({ refused: { code, detail } });
    writer.whenFlushed(() => end({ code: grpcCode, details: `${code}: ${detail}` }));
  };
  const watch = createIdleWatch(clock, IDLE_MS_MAX, () => {
    if (isReading(machine.state())) finish({ code: status.UNAVAILABLE, details: 'nothing was heard for 25 s' });
  });
  const ingest = createIngest({
    node: dependencies.node,
    handler: dependencies.handler,
    clock,
    after: () => forerunner,
    onAck(upToSeq, rejections) {
      if (machine.state() !== 'closed') writer.write({ ack: { upToSeq, rejections } });
    },
    onFailure(error) {
      dependencies.onStorageError(session, error);
      finish({ code: status.UNAVAILABLE, details: 'results cannot be stored now' });
    },
    onReading(open) {
      watch.suspend(!open);
      if (!open) stream.pause();
      else if (isReading(machine.state())) stream.resume();
    },
  });
  const receive = createReceiver(clock, {
    refuse,
    writer,
    take: (batch) => ingest.take(batch),
    greeting: () => machine.state() === 'greeting',
    hello(hello) {
      if (machine.transition('claiming')) dependencies.onHello(session, hello);
    },
    report(message) {
      report = message;
    },
    other(message) {
      if (machine.state() === 'live' || machine.state() === 'draining') dependencies.onMessage(session, message);
    },
  });
  const session: Session<N> = {
    node: dependencies.node,
    streamId: dependencies.streamId,
    instance: dependencies.instance,
    credentialHash: dependencies.credentialHash,
    state: machine.state,
    welcome(message, before) {
      if (machine.state() !== 'claiming') return false;
      forerunner = before;
      writer.write(message);
      return machine.transition('live');
    },
    heardWithin: watch.heardWithin,
    report: () => report,
    send(message) {
      if (isReading(machine.state())) writer.write(message);
    },
    offer: (message) => machine.state() === 'live' && writer.offer(message),
    backlog: writer.backlog,
    drain(reconnectAfterMs) {
      if (machine.transition('draining')) writer.write({ drain: { reconnectAfterMs } });
    },
    finish,
    refuse,
    idle: ingest.idle,
    closed,
  };
  stream.on('data', (message: FromNode__Output) => {
    watch.heard();
    if (isReading(machine.state())) receive(message);
  });
  stream.on('end', () => finish({ code: status.OK, details: '' }));
  for (const event of ['cancelled', 'finish', 'close']) stream.on(event, () => machine.transition('closed'));
  // grpc-js has answered its own errors (a message that is too long, or none of ours) to the peer already.
  stream.on('error', () => machine.transition('finishing'));
  return session;
}

/** Ends the writing half once; `closed` follows when the peer has the status, or after a while. */
function createEnding(stream: NodeStream, clock: Clock, onTimeout: () => void): (ending: Ending) => void {
  let timer: Timer | null = null;
  return (ending) => {
    if (timer !== null) return;
    timer = clock.after(ENDING_MS_MAX, onTimeout);
    if (ending.code === status.OK) stream.end();
    else stream.emit('error', ending);
  };
}

/** One line for each kind of message. */
function createReceiver(
  clock: Clock,
  on: {
    greeting(): boolean;
    hello(hello: Hello__Output): void;
    take: ReturnType<typeof createIngest>['take'];
    report(report: NodeReport): void;
    other(message: FromNode__Output): void;
    refuse: Session['refuse'];
    writer: StreamWriter;
  },
): (message: FromNode__Output) => void {
  return (message) => {
    if (on.greeting()) {
      if (message.hello) return on.hello(message.hello);
      return on.refuse('hello_missing', 'the first message of a stream is a Hello', status.INVALID_ARGUMENT);
    }
    if (message.ping) on.writer.write({ pong: { nonce: message.ping.nonce, serverTimeMs: clock.now() } });
    else if (message.status) on.report(readReport(message.status));
    else if (message.batch) {
      const batch = readBatch(message.batch);
      if ('code' in batch) on.refuse(batch.code, batch.detail, status.INVALID_ARGUMENT);
      else on.take(batch);
    } else on.other(message);
  };
}
