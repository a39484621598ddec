import type { Clock, Timer } from '../../kernel/clock.js';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { Echo, EchoAnswer, Icmp } from '../icmp/socket.js';
import type { Resolver } from '../resolve.js';
import type { Deadline } from './deadline.js';
import { CheckFailure, type Observed } from './outcome.js';
import { cutOff, judgedAddresses } from './target.js';
import { duration } from './words.js';

export interface PingCheckDeps {
  guard: TargetGuard;
  resolver: Resolver;
  clock: Clock;
  icmp: Icmp;
}

/** A single lost packet is no outage: that many requests are sent before the target counts as silent. */
const ECHO_REQUESTS = 3;
/** Longest pause between them; a short timeout is divided evenly, so that the last one can still be answered. */
const ECHO_PAUSE_MS_MAX = 1000;

/**
 * Sends an echo request, and another after each pause without a reply. Up at the first reply to any of them, whose
 * round trip is the response time. An ICMP error that quotes one of them ends the check as unreachable.
 */
export async function checkPing(
  deps: PingCheckDeps,
  host: string,
  observed: Observed,
  deadline: Deadline,
): Promise<void> {
  const [address] = await judgedAddresses(deps, host, observed, deadline);
  if (address === undefined) throw new CheckFailure('dns_failure', `${host} has no address`);
  observed.responseTimeMs = await firstReply(deps, address, deadline);
  observed.address = address;
}

function firstReply(deps: PingCheckDeps, address: string, deadline: Deadline): Promise<number> {
  return new Promise((resolve, reject) => {
    const sent: Echo[] = [];
    let pauseMs = 0;
    let pause: Timer | null = null;
    let over = false;
    const finish = () => {
      over = true;
      pause?.cancel();
      deadline.onStop(null);
      for (const echo of sent) echo.cancel();
    };
    const answered = (answer: EchoAnswer) => {
      if (over) return;
      finish();
      if (answer.kind === 'reply') resolve(answer.rttMs);
      else reject(new CheckFailure('unreachable', `${address} is unreachable: ${answer.reason}`));
    };
    const send = () => {
      sent.push(deps.icmp.echo(address, answered));
      // Taken after the first one, which may have had to wait for its socket.
      if (sent.length === 1) pauseMs = Math.min(ECHO_PAUSE_MS_MAX, deadline.remainingMs() / ECHO_REQUESTS);
      if (!over && sent.length < ECHO_REQUESTS) pause = deps.clock.after(pauseMs, send);
    };
    send();
    if (over) return;
    deadline.onStop((stop) => {
      finish();
      reject(stop === 'aborted' ? cutOff() : noReply(address, sent.length, deadline));
    });
  });
}

function noReply(address: string, requests: number, deadline: Deadline): CheckFailure {
  const what = requests === 1 ? 'the echo request' : `any of ${requests} echo requests`;
  return new CheckFailure('packet_loss', `${address} did not reply to ${what} within ${duration(deadline.timeoutMs)}`);
}
