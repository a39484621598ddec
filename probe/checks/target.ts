import { canonicalHost, notAllowed, type TargetGuard } from '../../kernel/guard/target-guard.js';
import { NameError, type Resolver } from '../resolve.js';
import type { Deadline, StopReason } from './deadline.js';
import { duration, quoted } from './format.js';
import { addPhase, CheckFailure, type Observed } from './outcome.js';

const PORT_MAX = 65_535;

/** Returns the failure of a check that its caller has cancelled. It is not delivered. */
export function abortedFailure(): CheckFailure {
  return new CheckFailure('unreachable', 'the probe cancelled the check');
}

/** Parses `host:port` or `tcp://host:port`, with an IPv6 address in brackets. Returns null for any other text. */
export function parseHostPort(target: string): { host: string; port: number } | null {
  const match = /^(?:tcp:\/\/)?(?<host>\[[^\]]+\]|[^:/@?#\s]+):(?<port>\d{1,5})\/?$/.exec(target.trim());
  const host = parseHost(match?.groups?.['host'] ?? '');
  const port = Number(match?.groups?.['port']);
  return host !== null && port >= 1 && port <= PORT_MAX ? { host, port } : null;
}

/** Returns the canonical form of a host name or address, with or without brackets; null for an empty text. */
export function parseHost(target: string): string | null {
  const text = target.trim().replace(/^\[(.*)\]$/, '$1');
  return text === '' ? null : canonicalHost(text);
}

/**
 * Returns all addresses of the host, IPv4 first. Throws CheckFailure if the guard refuses any of them, because a name
 * with both public and private addresses may be used for a rebinding attack.
 */
export async function allowedAddresses(
  needs: { guard: TargetGuard; resolver: Resolver },
  host: string,
  observed: Observed,
  deadline: Deadline,
): Promise<readonly string[]> {
  const startedMs = deadline.elapsedMs();
  let addresses: readonly string[];
  const literal = needs.resolver.literal(host);
  if (literal !== null) {
    addresses = [literal];
  } else {
    const stopped = (stop: StopReason) =>
      stop === 'aborted'
        ? abortedFailure()
        : new CheckFailure(
            'dns_failure',
            `no name server answered for ${quoted(host)} within ${duration(deadline.timeoutMs)}`,
          );
    try {
      addresses = await deadline.race(needs.resolver.resolve(host), stopped);
    } catch (error) {
      if (error instanceof NameError) throw new CheckFailure('dns_failure', error.message);
      throw error;
    }
    addPhase(observed.timings, 'dnsMs', deadline.elapsedMs() - startedMs);
  }
  for (const address of addresses) {
    const refusal = needs.guard.refusal(address);
    if (refusal !== null) throw blocked(needs.guard, host, refusal);
  }
  return addresses;
}

/** Returns the failure for a refused address. It does not name the address, which is in the log of the probe. */
export function blocked(guard: TargetGuard, host: string, refusal: string): CheckFailure {
  guard.report(host, refusal);
  return new CheckFailure('blocked_target', notAllowed(quoted(host)));
}
