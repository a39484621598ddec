import type { TLSSocket } from 'node:tls';
import type { Clock, Timer } from '../../../kernel/clock.js';
import type { ConnectAttempt } from '../connect-any.js';
import type { Deadline } from '../deadline.js';
import { addPhase, type CheckFailure, type Observed, type PhaseTimings } from '../outcome.js';
import {
  type ConnectionProgress,
  type ConnectionStep,
  closedEarly,
  socketFailure,
  timedOut,
} from '../socket-failure.js';
import { abortedFailure } from '../target.js';
import type { ResponseHead } from './head.js';
import { type BodyUse, createResponseReader, type HttpResponse } from './response.js';
import { openSocket, type TlsSettings } from './socket.js';

export interface ExchangeRequest {
  target: ConnectAttempt;
  /** null for plain HTTP. */
  tls: TlsSettings | null;
  bytes: Buffer;
  method: string;
  /** Returns why the check fails after the TLS handshake; null if it continues. */
  secured(socket: TLSSocket): CheckFailure | null;
  /** Decides what happens with the body, depending on the head. */
  bodyUse(head: ResponseHead): BodyUse;
  /** The body is read only so far. Defaults to 2 MiB. */
  bodyBytesMax?: number;
}

/**
 * Sends a request on a new connection to one address and measures every phase. Resolves to the response, or rejects
 * with a failure, at the latest when the deadline stops it. Then the connection is closed.
 */
export function exchange(
  request: ExchangeRequest,
  observed: Observed,
  deadline: Deadline,
  clock: Clock,
): Promise<HttpResponse> {
  return new Promise((resolve, reject) => {
    const { target, tls } = request;
    const steps = createSteps(target, observed.timings, deadline);
    let connectTimer: Timer | null = null;
    const bodyUse = (head: ResponseHead) => {
      observed.httpStatus = head.status;
      return request.bodyUse(head);
    };
    const reader = createResponseReader(request.method, bodyUse, request.bodyBytesMax);
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
    const complete = (response: HttpResponse | null): boolean => {
      if (response === null || !end('transferMs')) return false;
      observed.responseTimeMs = steps.sinceMs();
      resolve(response);
      return true;
    };
    const guarded = guardedListeners(steps, fail);
    const proceed = (failure: CheckFailure | null, send: boolean) => {
      if (failure !== null) fail(failure);
      else if (send) socket.write(request.bytes);
    };
    const socket = openSocket(target.address, target.port, tls, {
      connected: guarded(() => {
        const failure = target.checkReached(socket.remoteAddress ?? '');
        if (failure === null) {
          connectTimer?.cancel();
          observed.address = target.address;
          steps.enter(tls === null ? 'waiting' : 'securing', 'connectMs');
        }
        proceed(failure, tls === null);
      }),
      secured: guarded((secure) => {
        steps.enter('waiting', 'tlsMs');
        proceed(request.secured(secure), true);
      }),
      data: guarded((bytes) => {
        if (steps.progress().step === 'waiting') steps.enter('reading', 'ttfbMs');
        complete(reader.feed(bytes));
      }),
      ended: guarded(() => {
        if (!complete(reader.end())) fail(closedEarly(steps.progress()));
      }),
      failed: guarded((error) => fail(socketFailure(error, steps.progress()))),
    });
    const { connectMsMax } = target;
    if (connectMsMax !== null)
      connectTimer = clock.after(connectMsMax, () => fail(timedOut(steps.progress(), connectMsMax)));
    deadline.onStop((stop) =>
      fail(stop === 'aborted' ? abortedFailure() : timedOut(steps.progress(), deadline.timeoutMs)),
    );
  });
}

/** Wraps listeners: they do nothing after the end, and an error that they throw fails the exchange. */
function guardedListeners(steps: Steps, fail: (error: unknown) => void) {
  return <Args extends unknown[]>(listener: (...args: Args) => void) =>
    (...args: Args) => {
      try {
        if (!steps.hasEnded()) listener(...args);
      } catch (error) {
        fail(error);
      }
    };
}

/** The current step of an exchange. Only this object changes it. */
interface Steps {
  /** Ends the current step, adds its time to the phase `ended`, and starts the next step. */
  enter(next: ConnectionStep, ended: keyof PhaseTimings): void;
  /** Ends the exchange. Returns false if it has ended already. */
  end(ended: keyof PhaseTimings | null): boolean;
  hasEnded(): boolean;
  /** Returns when the current step started or the exchange ended. */
  sinceMs(): number;
  progress(): ConnectionProgress;
}

function createSteps(target: ConnectAttempt, timings: PhaseTimings, deadline: Deadline): Steps {
  let step: ConnectionStep = 'connecting';
  let sinceMs = target.connectingSinceMs;
  let done = false;
  const addTime = (phase: keyof PhaseTimings | null) => {
    const now = deadline.elapsedMs();
    if (phase !== null) addPhase(timings, phase, now - sinceMs);
    sinceMs = now;
  };
  return {
    enter(next, ended) {
      addTime(ended);
      step = next;
    },
    end(ended) {
      if (done) return false;
      done = true;
      addTime(ended);
      return true;
    },
    hasEnded: () => done,
    sinceMs: () => sinceMs,
    progress: () => ({ step, address: target.address, port: target.port, elapsedMs: deadline.elapsedMs() }),
  };
}
