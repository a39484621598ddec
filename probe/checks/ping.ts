import type { Clock, Timer } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Echo, EchoAnswer, Icmp } from '../icmp/icmp.js';
import type { Resolver } from '../resolve.js';
import type { Deadline } from './deadline.js';
import { duration } from './format.js';
import { CheckFailure, type Observed } from './outcome.js';
import { abortedFailure, allowedAddresses } from './target.js';

export interface PingCheckNeeds {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  icmp: Icmp;
}

/** Requests before the target counts as down, because a single lost packet is not an outage. */
const ECHO_REQUESTS = 3;
/** Time between two requests. With a short timeout it is shorter, so that the last request can still be answered. */
const ECHO_PAUSE_MS_MAX = 1000;

/**
 * Sends an echo request, and another one after each pause without a reply. The target is up at the first reply to any
 * of them, whose round trip is the response time. An ICMP error that quotes one of them ends the check as unreachable.
 */
export async function checkPing(
  needs: PingCheckNeeds,
  host: string,
  observed: Observed,
  deadline: Deadline,
): Promise<void> {
  const [address] = await allowedAddresses(needs, host, observed, deadline);
  if (address === undefined) throw new CheckFailure('dns_failure', `${host} has no address`);
  observed.responseTimeMs = await firstReply(needs, address, deadline);
  observed.address = address;
}

function firstReply(needs: PingCheckNeeds, address: string, deadline: Deadline): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent: Echo[] = [];
    let pauseMs = 0;
    let pause: Timer | null = null;
    let done = false;
    const finish = () => {
      done = true;
      pause?.cancel();
      deadline.onStop(null);
      for (const echo of sent) echo.cancel();
    };
    const answered = (answer: EchoAnswer) => {
      if (done) return;
      finish();
      if (answer.kind === 'reply') resolve(answer.rttMs);
      else reject(new CheckFailure('unreachable', `${address} is unreachable: ${answer.reason}`));
    };
    const send = () => {
      sent.push(needs.icmp.echo(address, answered));
      // Computed after the first request, which may have opened the socket.
      if (sent.length === 1) pauseMs = Math.min(ECHO_PAUSE_MS_MAX, deadline.remainingMs() / ECHO_REQUESTS);
      if (!done && sent.length < ECHO_REQUESTS) pause = needs.clock.after(pauseMs, send);
    };
    send();
    if (done) return;
    deadline.onStop((stop) => {
      finish();
      reject(stop === 'aborted' ? abortedFailure() : noReply(address, sent.length, deadline));
    });
  });
}

function noReply(address: string, requests: number, deadline: Deadline): CheckFailure {
  const what = requests === 1 ? 'the echo request' : `any of ${requests} echo requests`;
  return new CheckFailure('packet_loss', `${address} did not reply to ${what} within ${duration(deadline.timeoutMs)}`);
}
