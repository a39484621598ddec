import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalHost, isLocalhostName } from './guard/target-guard.js';

/** A server that listens on all addresses is reached at the loopback address of the same family. */
const WILDCARDS: ReadonlyMap<string, string> = new Map([
  ['0.0.0.0', '127.0.0.1'],
  ['::', '::1'],
]);

/** Returns whether a host of a setting or a URL can be reached only on this machine: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopbackHost(host: string): boolean {
  const canonical = canonicalHost(host);
  if (canonical === null) return false;
  return isLocalhostName(canonical) || (isIP(canonical) !== 0 && ipaddr.process(canonical).range() === 'loopback');
}

/** Returns the URL at which this machine reaches a server of its own that listens on the host of a setting. */
export function localUrl(host: string, port: number): string {
  const listening = WILDCARDS.get(host) ?? host;
  return `http://${isIP(listening) === 6 ? `[${listening}]` : listening}:${port}`;
}

/** Returns the default of `PICKET_PUBLIC_URL`: where a browser on this machine reaches Picket. */
export function defaultPublicUrl(host: string, port: number): string {
  return localUrl(isLoopbackHost(host) ? host : '127.0.0.1', port);
}
