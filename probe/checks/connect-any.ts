import type { TargetGuard } from '../../kernel/guard/target-guard.js';
import type { Resolver } from '../resolve.js';
import type { Deadline } from './deadline.js';
import { quoted } from './format.js';
import { CheckFailure, type Observed } from './outcome.js';
import { allowedAddresses, blocked } from './target.js';

/** Maximum number of addresses tried per host; all of them share the check's timeout. */
const ADDRESSES_TRIED_MAX = 4;

/** One attempt to connect to one address. */
export interface ConnectAttempt {
  host: string;
  address: string;
  port: number;
  /** `deadline.elapsedMs()` when the first address was tried. */
  connectingSinceMs: number;
  /** Time limit for the connection if further addresses can be tried; null if this is the last one. */
  connectMsMax: number | null;
  /** Returns the failure if the guard refuses the address that the socket is connected to; else null. */
  checkReached(address: string): CheckFailure | null;
}

/**
 * Resolves a host, then runs `attempt` for one address after the other, IPv4 first, until one accepts a connection. A
 * failure after an address has accepted the connection is not retried on another address. If no address accepts a
 * connection, the check fails with the first failure.
 */
export async function connectAny<Result>(
  needs: { guard: TargetGuard; resolver: Resolver },
  target: { host: string; port: number },
  observed: Observed,
  deadline: Deadline,
  attempt: (connect: ConnectAttempt) => Promise<Result>,
): Promise<Result> {
  const { host, port } = target;
  const addresses = (await allowedAddresses(needs, host, observed, deadline)).slice(0, ADDRESSES_TRIED_MAX);
  const connectingSinceMs = deadline.elapsedMs();
  let firstFailure: unknown = null;
  for (const [index, address] of addresses.entries()) {
    const more = index + 1 < addresses.length;
    const checkReached = (reachedAddress: string) => {
      // The guard has already checked this address.
      const refusal = reachedAddress === address ? null : needs.guard.refusal(reachedAddress);
      return refusal === null ? null : blocked(needs.guard, host, refusal);
    };
    const connectMsMax = more ? deadline.remainingMs() / 2 : null;
    try {
      return await attempt({ host, address, port, connectingSinceMs, connectMsMax, checkReached });
    } catch (error) {
      if (!(error instanceof CheckFailure) || !error.whileConnecting) throw error;
      firstFailure ??= error;
      if (deadline.remainingMs() <= 0) break;
    }
  }
  throw firstFailure ?? new CheckFailure('dns_failure', `${quoted(host)} has no address`);
}
