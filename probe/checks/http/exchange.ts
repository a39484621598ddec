import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { ConnectAttempt } from '../connect-any.js';
import type { Deadline } from '../deadline.js';
import { addPhase, type CheckFailure, type Observed, type PhaseTimings } from '../outcome.js';
import { closedEarly, type SocketPlace, type SocketStep, socketFailure, timedOut } from '../socket-failure.js';
import { cutOff } from '../target.js';
import { type BodyUse, createAnswerReader, type HttpAnswer } from './answer.js';
import type { ResponseHead } from './head.js';
import { openSocket, type TlsUse } from './socket.js';

export interface ExchangeRequest {
  target: ConnectAttempt;
  /** null for plain HTTP. */
  tls: TlsUse | null;
  bytes: Buffer;
  method: string;
  /** Judges the finished TLS handshake. */
  secured(socket: TLSSocket): CheckFailure | null;
  /** Decides on the body once the head is known. */
  bodyUse(head: ResponseHead): BodyUse;
}

/**
 * One request on one fresh connection to one address, every phase timed. It ends by itself: with the answer, with a
 * failure, or when the deadline says stop; its connection ends with it.
 */
export function exchange(
  request: ExchangeRequest,
  observed: Observed,
  deadline: Deadline,
  clock: Clock,
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const { target, tls } = request;
    const steps = createSteps(target, observed.timings, deadline);
    let connectTimer: Timer | null = null;
    const reader = createAnswerReader(request.method, (head) => {
      observed.httpStatus = head.status;
      return request.bodyUse(head);
    });
    const end = (phase: keyof PhaseTimings | null): boolean => {
      if (!steps.end(phase)) return false;
      deadline.onStop(null);
      connectTimer?.cancel();
      socket.destroy();
      return true;
    };
    const fail = (failure: unknown) => {
      if (end(null)) reject(failure);
    };
    const take = (answer: HttpAnswer | null): boolean => {
      if (answer === null || !end('transferMs')) return false;
      observed.responseTimeMs = steps.sinceMs();
      resolve(answer);
      return true;
    };
    const live = livingListeners(steps, fail);
    const goOn = (failure: CheckFailure | null, send: boolean) => {
      if (failure !== null) fail(failure);
      else if (send) socket.write(request.bytes);
    };
    const socket = openSocket(target.address, target.port, tls, {
      connected: live(() => {
        const failure = target.reached(socket.remoteAddress ?? '');
        if (failure === null) {
          connectTimer?.cancel();
          observed.address = target.address;
          steps.enter(tls === null ? 'waiting' : 'securing', 'connectMs');
        }
        goOn(failure, tls === null);
      }),
      secured: live((secure) => {
        steps.enter('waiting', 'tlsMs');
        goOn(request.secured(secure), true);
      }),
      data: live((bytes) => {
        if (steps.place().step === 'waiting') steps.enter('reading', 'ttfbMs');
        take(reader.feed(bytes));
      }),
      ended: live(() => {
        if (!take(reader.end())) fail(closedEarly(steps.place()));
      }),
      failed: live((error) => fail(socketFailure(error, steps.place()))),
    });
    const { connectMsMax } = target;
    if (connectMsMax !== null)
      connectTimer = clock.after(connectMsMax, () => fail(timedOut(steps.place(), connectMsMax)));
    deadline.onStop((stop) => fail(stop === 'aborted' ? cutOff() : timedOut(steps.place(), deadline.timeoutMs)));
  });
}

/** Makes listeners that hear nothing after the end, and fail the exchange where they would throw into the event loop. */
function livingListeners(steps: Steps, fail: (error: unknown) => void) {
  return <Args extends unknown[]>(listener: (...args: Args) => void) =>
    (...args: Args) => {
      try {
        if (!steps.isOver()) listener(...args);
      } catch (error) {
        fail(error);
      }
    };
}

/** Where an exchange stands, and the only place where it moves on. */
interface Steps {
  /** Ends the present step, books its time to `ended`, and begins the next. */
  enter(next: SocketStep, ended: keyof PhaseTimings): void;
  /** Ends the exchange; false when that was done before. */
  end(ended: keyof PhaseTimings | null): boolean;
  isOver(): boolean;
  /** When the present step began, or the exchange ended. */
  sinceMs(): number;
  place(): SocketPlace;
}

function createSteps(target: ConnectAttempt, timings: PhaseTimings, deadline: Deadline): Steps {
  let step: SocketStep = 'connecting';
  let sinceMs = target.connectingSinceMs;
  let over = false;
  const book = (phase: keyof PhaseTimings | null) => {
    const now = deadline.elapsedMs();
    if (phase !== null) addPhase(timings, phase, now - sinceMs);
    sinceMs = now;
  };
  return {
    enter(next, ended) {
      book(ended);
      step = next;
    },
    end(ended) {
      if (over) return false;
      over = true;
      book(ended);
      return true;
    },
    isOver: () => over,
    sinceMs: () => sinceMs,
    place: () => ({ step, address: target.address, port: target.port, elapsedMs: deadline.elapsedMs() }),
  };
}
