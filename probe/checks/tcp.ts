import { connect } from 'node:net';
import type { Clock, Timer } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Resolver } from '../resolve.js';
import { type ConnectAttempt, connectAny } from './connect-any.js';
import type { Deadline } from './deadline.js';
import { addPhase, type CheckFailure, type Observed } from './outcome.js';
import { socketFailure, timedOut } from './socket-failure.js';
import { abortedFailure } from './target.js';

export interface TcpCheckNeeds {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
}

/** Runs a tcp check: connects and sends nothing. Throws CheckFailure if no connection is established. */
export async function checkTcp(
  needs: TcpCheckNeeds,
  target: { host: string; port: number },
  observed: Observed,
  deadline: Deadline,
): Promise<void> {
  await connectAny(needs, target, observed, deadline, (attempt) =>
    connectOnce(attempt, observed, deadline, needs.clock),
  );
}

function connectOnce(attempt: ConnectAttempt, observed: Observed, deadline: Deadline, clock: Clock): Promise<void> {
  return new Promise((resolve, reject) => {
    const { address, port, connectMsMax } = attempt;
    let done = false;
    let timer: Timer | null = null;
    const finish = (failure: CheckFailure | null) => {
      if (done) return;
      done = true;
      timer?.cancel();
      deadline.onStop(null);
      socket.destroy();
      if (failure === null) resolve();
      else reject(failure);
    };
    const progress = () => ({ step: 'connecting' as const, address, port, elapsedMs: deadline.elapsedMs() });
    const socket = connect({ host: address, port });
    socket.on('error', (error) => finish(socketFailure(error, progress())));
    socket.on('connect', () => {
      const refusal = attempt.checkReached(socket.remoteAddress ?? '');
      if (refusal !== null) return finish(refusal);
      observed.address = address;
      addPhase(observed.timings, 'connectMs', deadline.elapsedMs() - attempt.connectingSinceMs);
      finish(null);
    });
    if (connectMsMax !== null) timer = clock.after(connectMsMax, () => finish(timedOut(progress(), connectMsMax)));
    deadline.onStop((stop) => finish(stop === 'aborted' ? abortedFailure() : timedOut(progress(), deadline.timeoutMs)));
  });
}
