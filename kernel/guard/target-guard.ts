import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { BlockedLog } from './blocked-log.js';
import { METADATA_ADDRESSES } from './metadata-addresses.js';
import { isInNetworks, type Network, parseNetwork } from './networks.js';

/**
 * Decides which addresses Picket may connect to on behalf of customers. Each outgoing connection, also after a
 * redirect, is checked three times: the literal address in the target, every address that a name resolves to, and the
 * address that the socket connected to.
 */
export interface TargetGuard {
  /** Returns why this IP address (v4 or v6, in any notation of `node:net`) is refused; null when it is allowed. */
  refusal(address: string): string | null;
  /** Like `refusal`, for the host of a URL. Returns null for a name, whose addresses are checked once resolved. */
  hostRefusal(host: string): string | null;
  /** Records for the operator that a connection was refused, with the refusal: customers read `notAllowed` instead. */
  report: BlockedLog;
}

/** What customers read about a refused host, whether it is a name or an address. */
export function notAllowed(host: string): string {
  return `${host} points to an address that is not allowed`;
}

/** Refused even when private targets are allowed: a packet to them reaches many hosts or none. */
const NEVER: ReadonlySet<string> = new Set(['multicast', 'broadcast']);

interface TargetRules {
  /**
   * `PICKET_ALLOW_PRIVATE_TARGETS`. Without it, only globally routable unicast addresses are allowed, according to the
   * IANA special-purpose registries (RFC 6890) in ipaddr.js: no private, loopback, link-local, carrier-grade NAT,
   * unique-local, NAT64, 6to4, Teredo or documentation addresses.
   */
  allowPrivate: boolean;
  /** `PICKET_DENY_TARGETS`: refused even if they are public. Defaults to none. */
  denied?: readonly Network[];
  /** Without one, refusals are not recorded. */
  log?: BlockedLog;
}

/** Metadata addresses of clouds are refused always, also as the IPv4 address in a translated IPv6 address. */
export function createTargetGuard({ allowPrivate, denied = [], log = () => {} }: TargetRules): TargetGuard {
  const metadata = METADATA_ADDRESSES.map(parseNetwork).filter((network) => network !== null);

  function refusal(address: string): string | null {
    if (isIP(address) === 0) return `${address} is not an IP address`;
    // `process` unwraps ::ffff:a.b.c.d, so that a mapped address is checked as the IPv4 address it refers to.
    const parsed = ipaddr.process(address);
    if (isInNetworks(parsed, metadata)) return `${address} is a cloud metadata address`;
    if (isInNetworks(parsed, denied)) return `${address} is in a network that this installation denies`;
    const range = isUnassigned(parsed) ? 'unassigned' : parsed.range();
    if (range === 'unicast') return null;
    if (allowPrivate && !NEVER.has(range)) return null;
    return `${address} is ${rangeName(range)} address`;
  }
  return {
    refusal,
    report: log,
    hostRefusal(host) {
      const canonical = canonicalHost(host);
      if (canonical === null) return null;
      // RFC 6761: these names are always loopback, so they need not be resolved.
      if (isLocalhostName(canonical)) return refusal('127.0.0.1');
      return isIP(canonical) !== 0 ? refusal(canonical) : null;
    },
  };
}

/** Ranges whose names in ipaddr.js are not words. */
const RANGE_NAMES: Readonly<Record<string, string>> = {
  carrierGradeNat: 'a carrier-grade NAT',
  linkLocal: 'a link-local',
  uniqueLocal: 'a private (unique local)',
  ipv4Mapped: 'an IPv4-mapped',
  rfc6145: 'an IPv4-translated',
  rfc6052: 'a NAT64',
  '6to4': 'a 6to4',
  teredo: 'a Teredo',
  amt: 'an AMT',
  as112: 'an AS112',
  as112v6: 'an AS112',
  discard: 'a discard-only',
  orchid2: 'an ORCHID',
  droneRemoteIdProtocolEntityTags: 'a drone identification',
};

/** Returns the name of a range with its article: `a private`, `an unspecified`. */
function rangeName(range: string): string {
  return RANGE_NAMES[range] ?? `${/^[aeiou]/.test(range) ? 'an' : 'a'} ${range}`;
}

/** Returns whether a canonical host is `localhost` or a name below it. */
export function isLocalhostName(canonical: string): boolean {
  return /(^|\.)localhost\.?$/.test(canonical);
}

/** Global IPv6 addresses are within 2000::/3 only. Outside it is, for example, ::7f00:1, an old form of 127.0.0.1. */
function isUnassigned(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  return address instanceof ipaddr.IPv6 && address.range() === 'unicast' && (address.toByteArray()[0] ?? 0) >>> 5 !== 1;
}

/**
 * Returns the host as browsers parse it: in lower case and punycode, without brackets, unusual IPv4 notations
 * (`2130706433`, `0x7f.1`, `017700000001`) as dotted decimals; null when it is not a valid host.
 */
export function canonicalHost(host: string): string | null {
  const bracketed = isIP(host) === 6 ? `[${host}]` : host;
  // A colon outside brackets would start a port, and the URL parser would silently drop :80.
  if (bracketed.includes(':') && !bracketed.startsWith('[')) return null;
  if (!URL.canParse(`http://${bracketed}/`)) return null;
  const url = new URL(`http://${bracketed}/`);
  if (url.pathname !== '/' || url.port !== '' || url.username !== '' || url.search !== '' || url.hash !== '')
    return null;
  return url.hostname.replace(/^\[|\]$/g, '');
}
