import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { canonicalHost, isLocalhostName } from './target-guard.js';

/** Returns whether a host of a setting or a URL can be reached only on this machine: `localhost`, 127.0.0.0/8 or ::1. */
export function isLoopbackHost(host: string): boolean {
  const canonical = canonicalHost(host);
  if (canonical === null) return false;
  return isLocalhostName(canonical) || (isIP(canonical) !== 0 && ipaddr.process(canonical).range() === 'loopback');
}
