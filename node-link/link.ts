import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { Ack__Output } from '../proto/generated/picket/link/v1/Ack.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { Hello } from '../proto/generated/picket/link/v1/Hello.js';
import type { Pong__Output } from '../proto/generated/picket/link/v1/Pong.js';
import type { Refused__Output } from '../proto/generated/picket/link/v1/Refused.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import type { Welcome__Output } from '../proto/generated/picket/link/v1/Welcome.js';
import { createConnectionAttempts } from './attempts.js';
import type { NodeCredentials } from './enrolment/credentials.js';
import { createLinkLog } from './link-log.js';
import { createLinkMachine, type LinkState } from './link-state.js';
import { createPings } from './pings.js';
import type { OpenStream, StreamEnd } from './stream.js';
import { createStreamPair, type OpenedStream, type StreamPair } from './stream-pair.js';

/** A welcomed stream, for its senders. Once it is replaced or lost, `send` does nothing. */
export interface LinkSession {
  address: string;
  /** The credentials with which it was opened. */
  credentials: NodeCredentials;
  /** The bytes that the first batch may have; see `Ack.window_bytes` in link.proto. */
  windowBytes: number;
  /** Returns false when the sender must wait until `writable` is called. */
  send(message: FromNode): boolean;
}

export interface LinkHandlers {
  hello(): Hello;
  /** A new session starts. The previous one, if any, has ended. */
  opened(session: LinkSession): void;
  /** The first message of each session. It is repeated when something in it changes. */
  welcome(welcome: Welcome__Output): void;
  writable(): void;
  lost(): void;
  ack(ack: Ack__Output): void;
  /** A message that only this kind of node handles. */
  message(message: ToNode__Output): void;
  /** The wall time of the control plane, as it was half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  /** The credential is refused. Returns true when there is a previous one to try. */
  fallBack(): boolean;
  /** The credential is refused and there is no other: the node is idle until it is welcomed again. */
  revoked(): void;
}

export interface Link {
  start(): void;
  /** Replaces the stream, as for a drain, to use a new credential. */
  reopen(): void;
  state(): LinkState;
  stop(): Promise<void>;
}

export interface LinkNeeds {
  /** Called for each attempt, because a rotation changes them. */
  credentials(): NodeCredentials;
  openStream: OpenStream;
  handlers: LinkHandlers;
  clock: Clock;
  random: Random;
  logger: Logger;
}

type ConnectionAttempts = ReturnType<typeof createConnectionAttempts>;

const SILENT: StreamEnd = { kind: 'lost', code: 'SILENT', detail: 'no answer to a ping for 10 s' };

/** Keeps one stream to one of the control planes, and reconnects whenever it is lost. */
export function createLink(needs: LinkNeeds): Link {
  const { handlers, clock, logger } = needs;
  const attempts = createConnectionAttempts(needs);
  const log = createLinkLog(logger);
  const pings = createPings({ serverTime: handlers.serverTime, clock });
  const streams = createStreamPair({ ...needs, message: receive, writable: handlers.writable, ended: leave });
  const machine = createLinkMachine(clock);

  const open = () => openNext(needs, attempts, streams);

  function receive(from: OpenedStream, message: ToNode__Output): void {
    if (message.refused) streams.fail(from, endOf(message.refused));
    else if (message.welcome) welcome(from, message.welcome);
    else if (from !== streams.active()) return;
    else if (message.ack) handlers.ack(message.ack);
    else if (message.pong) answered(message.pong, attempts, pings);
    else if (message.drain) drain(message.drain.reconnectAfterMs, { nextAddress: true });
    else handlers.message(message);
  }

  function welcome(from: OpenedStream, message: Welcome__Output): void {
    if (from === streams.active()) handlers.welcome(message);
    if (!streams.isCandidate(from) || !machine.transition('welcome')) return;
    streams.activate(from);
    attempts.welcomed();
    log.connected(from.address, message);
    handlers.serverTime(message.serverTimeMs, clock.monotonic() - from.openedAt);
    handlers.opened(sessionOn(from, streams, message.windowBytes));
    handlers.welcome(message);
    pings.start(from.stream, () => streams.fail(from, SILENT));
  }

  function drain(afterMs: number, { nextAddress }: { nextAddress: boolean }): void {
    if (!machine.transition('drain')) return;
    logger.debug({ after_ms: afterMs }, 'moving to a new stream');
    if (nextAddress) attempts.nextAddress();
    machine.after(afterMs, open);
  }

  /** Closes both streams when one has ended. Unacknowledged records are sent again on the next one. */
  function leave(opened: OpenedStream, end: StreamEnd): void {
    const wasWelcomed = streams.active() !== null;
    const refused = end.kind === 'refused' && !(end.code === 'revoked' && handlers.fallBack());
    if (!machine.transition(refused ? 'refused' : 'lost')) return;
    pings.stop();
    streams.close();
    if (wasWelcomed) handlers.lost();
    if (refused && end.code === 'revoked') handlers.revoked();
    log.disconnected(opened.address, end, { refused, wasWelcomed });
    machine.after(attempts.delayAfterMs({ refused, wasWelcomed, retryAfterMs: end.retryAfterMs ?? 0 }), () => {
      if (machine.transition('retry')) open();
    });
  }

  return {
    start() {
      if (machine.transition('start')) open();
    },
    reopen: () => drain(0, { nextAddress: false }),
    state: machine.state,
    async stop() {
      if (!machine.transition('stop')) return;
      pings.stop();
      await streams.end();
    },
  };
}

/** Opens a stream to the address whose turn it is. */
function openNext(needs: LinkNeeds, attempts: ConnectionAttempts, streams: StreamPair): void {
  const credentials = needs.credentials();
  streams.open(attempts.address(credentials.addresses), credentials, needs.handlers.hello());
}

function answered(pong: Pong__Output, attempts: ConnectionAttempts, pings: ReturnType<typeof createPings>): void {
  attempts.spreadOver(pong.reconnectSpreadMs);
  pings.pong(pong.nonce, pong.serverTimeMs);
}

function sessionOn(opened: OpenedStream, streams: StreamPair, windowBytes: number): LinkSession {
  const { address, credentials, stream } = opened;
  return { address, credentials, windowBytes, send: (message) => opened === streams.active() && stream.write(message) };
}

/** Refusals with the codes `revoked` and `version` are permanent. Others pass, such as `duplicate`. */
function endOf({ code, detail, retryAfterMs }: Refused__Output): StreamEnd {
  return { kind: code === 'revoked' || code === 'version' ? 'refused' : 'lost', code, detail, retryAfterMs };
}
