import type { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { notAllowed, type TargetGuard } from './target-guard.js';

/** The guard refused an address of the host. The message is for the customer, and so without the address. */
export class BlockedTarget extends Error {}

/** Returns the error for a host, and records which address was refused. */
export function blockedTarget(guard: TargetGuard, host: string, refusal: string): BlockedTarget {
  guard.report(host, refusal);
  return new BlockedTarget(notAllowed(host));
}

/** Returns a `lookup` for sockets that fails when the guard refuses any address of the name. */
export function guardedLookup(guard: TargetGuard, lookup: typeof systemLookup): LookupFunction {
  return (hostname, options, callback) => {
    lookup(hostname, { ...options, all: true }, (error, addresses) => {
      if (error !== null) return callback(error, []);
      // All must be allowed, because the socket may choose any of them.
      const refusal = addresses.map(({ address }) => guard.refusal(address)).find((reason) => reason !== null);
      if (refusal !== undefined) return callback(blockedTarget(guard, hostname, refusal), []);
      const first = addresses[0];
      if (first === undefined) return callback(new Error(`${hostname} has no address`), []);
      if (options.all === true) callback(null, addresses);
      else callback(null, first.address, first.family);
    });
  };
}
