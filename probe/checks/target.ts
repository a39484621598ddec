import { canonicalHost, type TargetGuard } from '../../kernel/target-guard.js';
import { NameError, type Resolver } from '../resolve.js';
import type { Deadline, Stop } from './deadline.js';
import { addPhase, CheckFailure, type Observed } from './outcome.js';
import { duration, quoted } from './words.js';

const PORT_MAX = 65_535;

/** The message of a check that its caller cut off; nobody is meant to act on it. */
export function cutOff(): CheckFailure {
  return new CheckFailure('unreachable', 'the check was cut off because the probe no longer runs it');
}

/** `host:port` or `tcp://host:port`, an IPv6 literal in brackets; null when it is neither. */
export function parseHostPort(target: string): { host: string; port: number } | null {
  const match = /^(?:tcp:\/\/)?(?<host>\[[^\]]+\]|[^:/@?#\s]+):(?<port>\d{1,5})\/?$/.exec(target.trim());
  const host = parseHost(match?.groups?.['host'] ?? '');
  const port = Number(match?.groups?.['port']);
  return host !== null && port >= 1 && port <= PORT_MAX ? { host, port } : null;
}

/** A host name or address, brackets or not, in the one form in which it is resolved and judged. */
export function parseHost(target: string): string | null {
  const text = target.trim().replace(/^\[(.*)\]$/, '$1');
  return text === '' ? null : canonicalHost(text);
}

/**
 * Every address of the host, IPv4 first, each passed by the guard. One refused address refuses the whole name: a
 * name that mixes public and private addresses is how a rebinding attack begins.
 */
export async function judgedAddresses(
  deps: { guard: TargetGuard; resolver: Resolver },
  host: string,
  observed: Observed,
  deadline: Deadline,
): Promise<readonly string[]> {
  const startedMs = deadline.elapsedMs();
  let addresses: readonly string[];
  const literal = deps.resolver.literal(host);
  if (literal !== null) {
    addresses = [literal];
  } else {
    const stopped = (stop: Stop) =>
      stop === 'aborted'
        ? cutOff()
        : new CheckFailure(
            'dns_failure',
            `no name server answered for ${quoted(host)} within ${duration(deadline.timeoutMs)}`,
          );
    try {
      addresses = await deadline.race(deps.resolver.resolve(host), stopped);
    } catch (error) {
      if (error instanceof NameError) throw new CheckFailure('dns_failure', error.message);
      throw error;
    }
    addPhase(observed.timings, 'dnsMs', deadline.elapsedMs() - startedMs);
  }
  for (const address of addresses) {
    const refusal = deps.guard.refusal(address);
    if (refusal !== null) throw blocked(host, literal === null, refusal);
  }
  return addresses;
}

/** Names the rule, not the network behind it. */
export function blocked(host: string, isName: boolean, refusal: string): CheckFailure {
  const what = isName ? `${quoted(host)} leads to a blocked target: ${refusal}` : `blocked target: ${refusal}`;
  return new CheckFailure('blocked_target', `${what}, which this probe may not reach`);
}
