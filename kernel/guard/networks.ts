import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { SettingError } from '../settings.js';

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

/** A network: its address and the length of its prefix in bits. */
export type Network = readonly [address: IpAddress, prefixBits: number];

/** The length of the prefix of addresses such as `::ffff:192.0.2.1`. */
const MAPPED_BITS = 96;

/** The bytes with the IPv4 address, for prefixes of 48 to 96 bits: byte 8 stays zero (RFC 6052, section 2.2). */
const NAT64_BYTES = [
  [6, 7, 9, 10],
  [7, 9, 10, 11],
  [9, 10, 11, 12],
  [12, 13, 14, 15],
];

/**
 * IPv6 networks whose addresses contain an IPv4 address, and its bytes. A translator in the network (NAT64, SIIT,
 * 6to4) sends their packets to that address, and old systems did the same for `::192.0.2.1`. Networks may divide
 * 64:ff9b:1::/48 as they like (RFC 8215), so all places of RFC 6052 count in it.
 */
const TRANSLATED: readonly { network: [IpAddress, number]; places: readonly (readonly number[])[] }[] = [
  { network: ipaddr.parseCIDR('::/96'), places: [[12, 13, 14, 15]] },
  { network: ipaddr.parseCIDR('::ffff:0:0:0/96'), places: [[12, 13, 14, 15]] },
  { network: ipaddr.parseCIDR('64:ff9b::/96'), places: [[12, 13, 14, 15]] },
  { network: ipaddr.parseCIDR('64:ff9b:1::/48'), places: NAT64_BYTES },
  { network: ipaddr.parseCIDR('2002::/16'), places: [[2, 3, 4, 5]] },
];

/** Returns the network of `192.0.2.0/24`, `2001:db8::/32` or a single address; null if it is none. */
export function parseNetwork(text: string): Network | null {
  const [, host = '', prefix] = /^([^/]+)(?:\/(\d{1,3}))?$/.exec(text) ?? [];
  if (isIP(host) === 0) return null;
  const literal = ipaddr.parse(host);
  const bitsMax = literal.toByteArray().length * 8;
  const bits = prefix === undefined ? bitsMax : Number(prefix);
  if (bits > bitsMax) return null;
  if (literal instanceof ipaddr.IPv6 && literal.isIPv4MappedAddress() && bits >= MAPPED_BITS) {
    return [literal.toIPv4Address(), bits - MAPPED_BITS];
  }
  return [literal, bits];
}

/** Returns the networks of a comma-separated setting. Throws SettingError. */
export function readNetworks(variable: string, value: string | null): Network[] {
  const items = (value ?? '').split(',').map((item) => item.trim());
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const network = parseNetwork(item);
      if (network !== null) return network;
      throw new SettingError(
        variable,
        `must be addresses or networks such as 192.0.2.0/24, not ${JSON.stringify(item.slice(0, 64))}`,
      );
    });
}

/** Returns whether one of the networks contains the address, or the IPv4 address in it. */
export function isInNetworks(address: IpAddress, networks: readonly Network[]): boolean {
  const forms = [address, ...translatedIpv4(address)];
  return networks.some(([network, bits]) =>
    forms.some((form) => form.kind() === network.kind() && form.match(network, bits)),
  );
}

function translatedIpv4(address: IpAddress): IpAddress[] {
  if (!(address instanceof ipaddr.IPv6)) return [];
  const found = TRANSLATED.find(({ network }) => address.match(network[0], network[1]));
  if (found === undefined) return [];
  const bytes = address.toByteArray();
  return found.places.map((place) => ipaddr.fromByteArray(place.map((at) => bytes[at] ?? 0)));
}

/** Exactly these networks: unlike `isInNetworks`, addresses that only contain an IPv4 address of theirs are outside. */
export interface Networks {
  /** Returns false for a text that is not an IP address. */
  contain(address: string): boolean;
}

export function exactNetworks(networks: readonly Network[]): Networks {
  return {
    contain(address) {
      if (isIP(address) === 0) return false;
      const parsed = ipaddr.process(address);
      return networks.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits));
    },
  };
}

/** Returns the IP address in the form of RFC 5952, and an IPv4 address that is mapped to IPv6 as IPv4; null for other texts. */
export function canonicalAddress(text: string): string | null {
  return isIP(text) === 0 ? null : ipaddr.process(text).toString();
}
