import { isIP } from 'node:net';
import type { TargetGuard } from '../../kernel/target-guard.js';
import type { Resolver } from '../resolve.js';
import type { Deadline } from './deadline.js';
import { CheckFailure, type Observed } from './outcome.js';
import { blocked, judgedAddresses } from './target.js';
import { quoted } from './words.js';

/** More addresses of one name are not tried: each takes time from the others. */
const ADDRESSES_TRIED_MAX = 4;

/** One try to connect to one address. */
export interface ConnectAttempt {
  host: string;
  address: string;
  port: number;
  /** When the connecting began, on the deadline; earlier addresses of the name may have failed since. */
  connectingSinceMs: number;
  /** What connecting may take where another address is still to be tried; null: all that is left. */
  connectMsMax: number | null;
  /** Judges the address that the socket really reached. */
  reached(address: string): CheckFailure | null;
}

/**
 * Resolves and judges a host, then runs `attempt` for its addresses in turn, IPv4 first, until one can be connected
 * to. What happens on a connection once made is final. When none is made, the first failure is the one to tell.
 */
export async function connectAny<Result>(
  deps: { guard: TargetGuard; resolver: Resolver },
  target: { host: string; port: number },
  observed: Observed,
  deadline: Deadline,
  attempt: (connect: ConnectAttempt) => Promise<Result>,
): Promise<Result> {
  const { host, port } = target;
  const addresses = (await judgedAddresses(deps, host, observed, deadline)).slice(0, ADDRESSES_TRIED_MAX);
  const connectingSinceMs = deadline.elapsedMs();
  let firstFailure: unknown = null;
  for (const [index, address] of addresses.entries()) {
    const more = index + 1 < addresses.length;
    const reached = (reachedAddress: string) => {
      // The very text that was judged need not be judged twice.
      const refusal = reachedAddress === address ? null : deps.guard.refusal(reachedAddress);
      return refusal === null ? null : blocked(host, isIP(host) === 0, refusal);
    };
    const connectMsMax = more ? deadline.remainingMs() / 2 : null;
    try {
      return await attempt({ host, address, port, connectingSinceMs, connectMsMax, reached });
    } catch (error) {
      if (!(error instanceof CheckFailure) || !error.whileConnecting) throw error;
      firstFailure ??= error;
      if (deadline.remainingMs() <= 0) break;
    }
  }
  throw firstFailure ?? new CheckFailure('dns_failure', `${quoted(host)} has no address`);
}
