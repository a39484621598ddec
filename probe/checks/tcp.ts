import { connect } from 'node:net';
import type { Clock, Timer } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { Resolver } from '../resolve.js';
import { type ConnectAttempt, connectAny } from './connect-any.js';
import type { Deadline } from './deadline.js';
import { addPhase, type CheckFailure, type Observed } from './outcome.js';
import { socketFailure, timedOut } from './socket-failure.js';
import { cutOff } from './target.js';

export interface TcpCheckDeps {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
}

/** Up when a connection is made; nothing is sent on it. Throws CheckFailure when none is. */
export async function checkTcp(
  deps: TcpCheckDeps,
  target: { host: string; port: number },
  observed: Observed,
  deadline: Deadline,
): Promise<void> {
  await connectAny(deps, target, observed, deadline, (attempt) => connectOnce(attempt, observed, deadline, deps.clock));
}

function connectOnce(attempt: ConnectAttempt, observed: Observed, deadline: Deadline, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const { address, port, connectMsMax } = attempt;
    let over = false;
    let timer: Timer | null = null;
    const finish = (failure: CheckFailure | null) => {
      if (over) return;
      over = true;
      timer?.cancel();
      deadline.onStop(null);
      socket.destroy();
      if (failure === null) resolve();
      else reject(failure);
    };
    const place = () => ({ step: 'connecting' as const, address, port, elapsedMs: deadline.elapsedMs() });
    const socket = connect({ host: address, port });
    socket.on('error', (error) => finish(socketFailure(error, place())));
    socket.on('connect', () => {
      const refusal = attempt.reached(socket.remoteAddress ?? '');
      if (refusal !== null) return finish(refusal);
      observed.address = address;
      addPhase(observed.timings, 'connectMs', deadline.elapsedMs() - attempt.connectingSinceMs);
      finish(null);
    });
    if (connectMsMax !== null) timer = clock.after(connectMsMax, () => finish(timedOut(place(), connectMsMax)));
    deadline.onStop((stop) => finish(stop === 'aborted' ? cutOff() : timedOut(place(), deadline.timeoutMs)));
  });
}
