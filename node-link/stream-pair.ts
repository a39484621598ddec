import type { Clock, Timer } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { afterListening } from '../kernel/stalls/listening-timer.js';
import type { Hello } from '../proto/generated/picket/link/v1/Hello.js';
import type { ToNode__Output } from '../proto/generated/picket/link/v1/ToNode.js';
import type { NodeCredentials } from './enrolment/credentials.js';
import type { LinkStream, OpenStream, StreamEnd } from './stream.js';

/** Time from opening a stream to its welcome. */
const WELCOME_DEADLINE_MS = 10_000;

/** A stream, and how it was opened. */
export interface OpenedStream {
  address: string;
  credentials: NodeCredentials;
  stream: LinkStream;
  openedAt: number;
}

/** The welcomed stream of a link, and the stream that is to become or replace it. */
export interface StreamPair {
  /** The welcomed stream; null before and after the connection. */
  active(): OpenedStream | null;
  /** Opens the stream that waits for its welcome. */
  open(address: string, credentials: NodeCredentials, hello: Hello): void;
  /** Makes a stream that is welcomed the active one, and ends the one before. */
  activate(opened: OpenedStream): void;
  isCandidate(opened: OpenedStream): boolean;
  /** Ends a stream that failed. Does nothing more for a stream that is already replaced. */
  fail(opened: OpenedStream, end: StreamEnd): void;
  /** Drops both streams. */
  close(): void;
  /** Ends the active stream and drops the other one. */
  end(): Promise<void>;
}

interface StreamPairNeeds {
  openStream: OpenStream;
  message(from: OpenedStream, message: ToNode__Output): void;
  /** The active stream accepts messages again. */
  writable(): void;
  /** One of the two streams ended or failed. */
  ended(opened: OpenedStream, end: StreamEnd): void;
  clock: Clock;
  logger: Logger;
}

export function createStreamPair(needs: StreamPairNeeds): StreamPair {
  const { clock, logger } = needs;
  let active: OpenedStream | null = null;
  let candidate: OpenedStream | null = null;
  let deadline: Timer | null = null;

  function fail(opened: OpenedStream, end: StreamEnd): void {
    if (opened === active || opened === candidate) needs.ended(opened, end);
    else opened.stream.close();
  }

  function close(): void {
    deadline?.cancel();
    active?.stream.close();
    candidate?.stream.close();
    active = null;
    candidate = null;
  }

  return {
    active: () => active,
    isCandidate: (opened) => opened === candidate,
    fail,
    open(address, credentials, hello) {
      const openedAt = clock.monotonic();
      const stream = needs.openStream(address, credentials, {
        message: (message) => needs.message(opened, message),
        writable: () => {
          if (opened === active) needs.writable();
        },
        ended: (end) => fail(opened, end),
      });
      const opened: OpenedStream = { address, credentials, openedAt, stream };
      candidate = opened;
      deadline = afterListening(clock, WELCOME_DEADLINE_MS, () => {
        fail(opened, { kind: 'lost', code: 'DEADLINE', detail: 'no welcome within 10 s' });
      });
      stream.write({ hello });
    },
    activate(opened) {
      deadline?.cancel();
      const previous = active;
      active = opened;
      candidate = null;
      previous?.stream.end().catch((error) => logger.debug({ err: error }, 'failed to end the previous stream'));
    },
    close,
    async end() {
      const last = active;
      active = null;
      close();
      await last?.stream.end();
    },
  };
}
