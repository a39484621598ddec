import { networkInterfaces } from 'node:os';
import type { NetworkInterface } from '../../proto/generated/picket/link/v1/NetworkInterface.js';
import { INTERFACE_ADDRESSES_MAX } from '../../proto/limits.js';
import { isDeviceName } from '../../proto/metrics.js';
import { DEVICES_MAX } from './device-limits.js';
import { isMeasured } from './parsers/net-dev.js';
import { defaultInterface, defaultInterface6 } from './parsers/routes.js';
import type { SystemFiles } from './system-files.js';

/** `IFF_UP` of an interface's flags. */
const FLAG_UP = 1;
const NO_ADDRESS = /^(?:00:){5}00$/;

/** Returns the interfaces that have metrics, with their addresses. */
export function readInterfaces(files: SystemFiles): NetworkInterface[] {
  const addresses = networkInterfaces();
  const names = (files.list('/sys/class/net', 'the list of interfaces') ?? []).filter(
    (name) => isMeasured(name) && isDeviceName(name),
  );
  return names
    .sort()
    .slice(0, DEVICES_MAX.interfaces)
    .map((name) => {
      const read = (file: string) => files.readOptional(`/sys/class/net/${name}/${file}`)?.trim() ?? '';
      const mac = read('address');
      // If the speed is unknown, there is no such file, reading it fails, or it is -1.
      const speed = Number(read('speed'));
      return {
        name,
        mac: NO_ADDRESS.test(mac) ? '' : mac,
        addresses: (addresses[name] ?? []).slice(0, INTERFACE_ADDRESSES_MAX).map(({ address }) => address),
        speedMbps: speed > 0 ? speed : 0,
        up: (Number(read('flags')) & FLAG_UP) === FLAG_UP && read('operstate') !== 'down',
      };
    });
}

/** Returns the first address of the interface of the default route, preferably IPv4; empty without one. */
export function primaryAddress(files: SystemFiles, interfaces: readonly NetworkInterface[]): string {
  const name =
    defaultInterface(files.readOptional('/proc/net/route') ?? '') ??
    defaultInterface6(files.readOptional('/proc/net/ipv6_route') ?? '');
  const addresses = interfaces.find((one) => one.name === name)?.addresses ?? [];
  return (
    addresses.find((address) => !address.includes(':')) ?? addresses.find((address) => !isLinkLocal(address)) ?? ''
  );
}

function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
