import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import type { Random } from '../kernel/random.js';
import type { Ack__Output } from '../proto/generated/picket/link/v1/Ack.js';
import type { FromNode } from '../proto/generated/picket/link/v1/FromNode.js';
import type { Hello } from '../proto/generated/picket/link/v1/Hello.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import type { Welcome__Output } from '../proto/generated/picket/link/v1/Welcome.js';
import { backoffMs } from './backoff.js';
import type { NodeCredentials } from './enrolment/credentials.js';
import { type LinkEvent, type LinkState, nextState } from './link-state.js';
import { createPings } from './pings.js';
import type { LinkStream, OpenStream, StreamEnd } from './stream.js';

/** A welcomed stream, as seen by who sends on it. After it is replaced or lost, `send` does nothing. */
export interface LinkSession {
  address: string;
  /** What it was opened with. */
  credentials: NodeCredentials;
  /** false: hold back until `writable` is called. */
  send(message: FromNode): boolean;
}

export interface LinkHandlers {
  hello(): Hello;
  /** A new session; the one before, if any, is over. */
  opened(session: LinkSession): void;
  /** First word of each session; may come again on the same one when something in it changes. */
  welcome(welcome: Welcome__Output): void;
  writable(): void;
  lost(): void;
  ack(ack: Ack__Output): void;
  /** What is none of the link's own business: for this kind of node only. */
  message(message: ToNode__Output): void;
  /** The control plane's wall time, as read half a round trip ago. */
  serverTime(serverTimeMs: number, roundTripMs: number): void;
  /** The credential is not wanted. true: there is another one to try. */
  fallBack(): boolean;
  /** The credential is refused and there is no other: nothing is wanted of this node until it is welcomed again. */
  revoked(): void;
}

export interface Link {
  start(): void;
  /** Opens a new stream and moves over, as when the control plane drains: for a new credential. */
  reopen(): void;
  state(): LinkState;
  stop(): Promise<void>;
}

export interface LinkOptions {
  /** Asked at each try: a rotation changes them. */
  credentials(): NodeCredentials;
  openStream: OpenStream;
  handlers: LinkHandlers;
  clock: Clock;
  random: Random;
  logger: Logger;
}

const BACKOFF = { baseMs: 500, capMs: 30_000 };
/** From the first packet to the welcome. */
const WELCOME_DEADLINE_MS = 10_000;
/** A session that lasted as long was a good one: the next failure begins with a short pause again. */
const STABLE_MS = 10_000;
const REFUSED_RETRY_MS = 5 * 60_000;

/** A stream with what belongs to it. */
interface Opened {
  address: string;
  credentials: NodeCredentials;
  stream: LinkStream;
  openedAt: number;
}

/** Keeps one stream to one of the control planes, whatever happens to it. */
export function createLink(options: LinkOptions): Link {
  const { handlers, clock, logger } = options;
  let state: LinkState = 'stopped';
  /** The welcomed stream. Set exactly while welcomed or draining. */
  let active: Opened | null = null;
  /** The stream that has not been welcomed. */
  let candidate: Opened | null = null;
  let welcomedAt = 0;
  let failures = 0;
  let turn = 0;
  let complained = false;
  let duplicate = false;
  /** The pause, or the time left for a welcome. */
  let timer: Timer | null = null;
  const pings = createPings({ serverTime: handlers.serverTime, clock });

  /** The only place that changes the state. false: the event came too late. */
  function transition(event: LinkEvent): boolean {
    const next = nextState(state, event);
    if (next === null) return false;
    state = next;
    timer?.cancel();
    timer = null;
    return true;
  }

  function open(): void {
    const credentials = options.credentials();
    const address = credentials.addresses[turn % credentials.addresses.length] ?? '';
    const opened: Opened = {
      address,
      credentials,
      openedAt: clock.monotonic(),
      stream: options.openStream(address, credentials, {
        message: (message) => receive(opened, message),
        writable: () => {
          if (opened === active) handlers.writable();
        },
        ended: (end) => leave(opened, end),
      }),
    };
    candidate = opened;
    timer = clock.after(WELCOME_DEADLINE_MS, () => {
      leave(opened, { kind: 'lost', code: 'DEADLINE', detail: 'no welcome within 10 s' });
    });
    opened.stream.write({ hello: handlers.hello() });
  }

  function receive(from: Opened, message: ToNode__Output): void {
    if (message.refused) leave(from, refusal(message.refused.code, message.refused.detail));
    else if (message.welcome) welcome(from, message.welcome);
    else if (from !== active) return;
    else if (message.ack) handlers.ack(message.ack);
    else if (message.pong) pings.pong(message.pong.nonce, message.pong.serverTimeMs);
    else if (message.drain) drain(message.drain.reconnectAfterMs, 1);
    else handlers.message(message);
  }

  function welcome(from: Opened, message: Welcome__Output): void {
    if (from === active) handlers.welcome(message);
    if (from !== candidate || !transition('welcome')) return;
    const old = active;
    active = from;
    candidate = null;
    welcomedAt = clock.monotonic();
    complained = false;
    duplicate = false;
    logger.info({ address: from.address, node: message.nodeId, location: message.location }, 'connected');
    handlers.serverTime(message.serverTimeMs, clock.monotonic() - from.openedAt);
    const { address, credentials } = from;
    handlers.opened({ address, credentials, send: (sent) => from === active && from.stream.write(sent) });
    handlers.welcome(message);
    pings.start(from.stream, () => leave(from, { kind: 'lost', code: 'SILENT', detail: 'no answer for 10 s' }));
    old?.stream.end().catch((error) => logger.debug({ err: error }, 'the old stream did not end well'));
  }

  function drain(afterMs: number, addressesOn: number): void {
    if (!transition('drain')) return;
    logger.debug({ after_ms: afterMs }, 'moving to a new stream');
    turn += addressesOn;
    timer = clock.after(afterMs, open);
  }

  /** A stream is over. Whichever it was, both go: what is not acknowledged is sent again on the next. */
  function leave(opened: Opened, end: StreamEnd): void {
    if (opened !== active && opened !== candidate) {
      opened.stream.close();
      return;
    }
    const wasWelcomed = active !== null;
    const refused = end.kind === 'refused' && !(end.code === 'revoked' && handlers.fallBack());
    if (!transition(refused ? 'refused' : 'lost')) return;
    closeStreams();
    if (wasWelcomed) handlers.lost();
    if (refused && end.code === 'revoked') handlers.revoked();
    failures = wasWelcomed && clock.monotonic() - welcomedAt >= STABLE_MS ? 0 : failures + 1;
    turn += 1;
    const pauseMs = refused ? REFUSED_RETRY_MS : backoffMs(failures, options.random.fraction(), BACKOFF);
    tell(opened.address, end, wasWelcomed);
    timer = clock.after(pauseMs, () => {
      if (transition('retry')) open();
    });
  }

  /** One line when it goes, and no more until it came back. */
  function tell(address: string, end: StreamEnd, wasWelcomed: boolean): void {
    const detail = { address, code: end.code, detail: end.detail };
    if (state === 'refused')
      logger.error(detail, `refused by the control plane (${end.code}), asking again each 5 minutes`);
    else if (wasWelcomed) logger.warn(detail, 'disconnected, work goes on and what it brings waits on disk');
    else if (end.code === 'duplicate') tellDuplicate(detail);
    else if (!complained) logger.warn(detail, 'cannot connect, trying on');
    complained = true;
  }

  /** Also after it was disconnected by that other one. */
  function tellDuplicate(detail: { address: string }): void {
    if (!duplicate)
      logger.error(detail, 'another process is connected with this credential, trying on until it is gone');
    duplicate = true;
  }

  function closeStreams(): void {
    pings.stop();
    active?.stream.close();
    candidate?.stream.close();
    active = null;
    candidate = null;
  }

  return {
    start() {
      if (transition('start')) open();
    },
    reopen: () => drain(0, 0),
    state: () => state,
    async stop() {
      if (!transition('stop')) return;
      const last = active;
      active = null;
      closeStreams();
      await last?.stream.end();
    },
  };
}

/** `revoked` and `version` stay; others pass, as `duplicate` does once the other stream of this node is gone. */
function refusal(code: string, detail: string): StreamEnd {
  return { kind: code === 'revoked' || code === 'version' ? 'refused' : 'lost', code, detail };
}
