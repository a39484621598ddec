import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';

/**
 * Decides which addresses Picket may connect to on a customer's behalf. It is asked three times for each
 * outgoing connection: for a literal in the target, for every address a name resolves to, and for the address
 * that the socket really reached, on each redirect anew.
 */
export interface TargetGuard {
  /** Why this IP address (v4 or v6, any notation that `node:net` accepts) is refused; null when it may be reached. */
  refusal(address: string): string | null;
  /** As `refusal`, for the host of a URL: null for a name (its addresses are judged once resolved). */
  hostRefusal(host: string): string | null;
}

/** Never a target, whatever the operator allows: a packet to them reaches many hosts or none. */
const NEVER: ReadonlySet<string> = new Set(['multicast', 'broadcast']);

/**
 * `allowPrivate` is `PICKET_ALLOW_PRIVATE_TARGETS`. Without it only globally routable unicast passes, judged by
 * the IANA special-purpose registries as ipaddr.js knows them (RFC 6890): not private, loopback, link-local
 * (169.254.169.254 and its like), carrier-grade NAT, unique-local, NAT64, 6to4, Teredo or documentation ranges.
 */
export function createTargetGuard(options: { allowPrivate: boolean }): TargetGuard {
  function refusal(address: string): string | null {
    if (isIP(address) === 0) return `${address} is not an IP address`;
    // `process` unwraps ::ffff:a.b.c.d, so that a mapped form is judged as the IPv4 address it reaches.
    const parsed = ipaddr.process(address);
    const range = isUnassigned(parsed) ? 'unassigned' : parsed.range();
    if (range === 'unicast') return null;
    if (options.allowPrivate && !NEVER.has(range)) return null;
    return `${address} is a ${range} address`;
  }
  return {
    refusal,
    hostRefusal(host) {
      const canonical = canonicalHost(host);
      if (canonical === null) return null;
      // RFC 6761: these names are loopback everywhere, so they need no look-up to be judged.
      if (/(^|\.)localhost\.?$/.test(canonical)) return refusal('127.0.0.1');
      return isIP(canonical) !== 0 ? refusal(canonical) : null;
    },
  };
}

/** IPv6 assigns global addresses within 2000::/3 only. Outside it stands, for one, the old form ::7f00:1 of 127.0.0.1. */
function isUnassigned(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.range() === 'unicast' && (address.toByteArray()[0] ?? 0) >>> 5 !== 1;
}

/**
 * The host as a browser would read it: lower case, punycoded, brackets off, and the odd IPv4 notations
 * (`2130706433`, `0x7f.1`, `017700000001`) as dotted decimals. null when it is no host at all.
 */
export function canonicalHost(host: string): string | null {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  // A colon outside brackets would be read as the begin of a port, and :80 be dropped without a word.
  if (bracketed.includes(':') && !bracketed.startsWith('[')) return null;
  if (!URL.canParse(`http://${bracketed}/`)) return null;
  const url = new URL(`http://${bracketed}/`);
  if (url.pathname !== '/' || url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '')
    return null;
  return url.hostname.replace(/^\[|\]$/g, '');
}
