import { networkInterfaces } from 'node:os';
import type { NetworkInterface } from '../../proto/generated/picket/link/v1/NetworkInterface.js';
import { isDeviceName } from '../report-values.js';
import { DEVICES_MAX } from './bounded.js';
import { isReported } from './network.js';
import type { SystemFiles } from './system-files.js';

/** `IFF_UP` of an interface's flags. */
const FLAG_UP = 1;
const NO_ADDRESS = /^(?:00:){5}00$/;

/** The interfaces that have metrics, with their addresses. */
export function readInterfaces(files: SystemFiles): NetworkInterface[] {
  const addresses = networkInterfaces();
  const names = (files.list('/sys/class/net', 'the list of interfaces') ?? []).filter(
    (name) => isReported(name) && isDeviceName(name),
  );
  return names
    .sort()
    .slice(0, DEVICES_MAX.interfaces)
    .map((name) => {
      const read = (file: string) => files.readIfThere(`/sys/class/net/${name}/${file}`)?.trim() ?? '';
      const mac = read('address');
      // Not known: no such file, an error, or -1.
      const speed = Number(read('speed'));
      return {
        name,
        mac: NO_ADDRESS.test(mac) ? '' : mac,
        addresses: (addresses[name] ?? []).map(({ address }) => address),
        speedMbps: speed > 0 ? speed : 0,
        up: (Number(read('flags')) & FLAG_UP) === FLAG_UP && read('operstate') !== 'down',
      };
    });
}

/** The first address of the interface that the default route leads through, IPv4 first; empty when there is none. */
export function reachableAddress(files: SystemFiles, interfaces: readonly NetworkInterface[]): string {
  const name =
    defaultInterface(files.readIfThere('/proc/net/route') ?? '') ??
    defaultInterface6(files.readIfThere('/proc/net/ipv6_route') ?? '');
  const addresses = interfaces.find((one) => one.name === name)?.addresses ?? [];
  return (
    addresses.find((address) => !address.includes(':')) ?? addresses.find((address) => !isLinkLocal(address)) ?? ''
  );
}

/** Of `/proc/net/route`, that with the lowest metric. */
export function defaultInterface(text: string): string | null {
  const routes = text.split('\n').map((line) => line.trim().split(/\s+/));
  const defaults = routes.filter((route) => route[1] === '00000000' && route[7] === '00000000');
  return defaults.sort((a, b) => Number(a[6]) - Number(b[6]))[0]?.[0] ?? null;
}

/** Of `/proc/net/ipv6_route`. */
export function defaultInterface6(text: string): string | null {
  const routes = text.split('\n').map((line) => line.trim().split(/\s+/));
  return routes.find((route) => /^0{32}$/.test(route[0] ?? '') && route[1] === '00' && route[9] !== 'lo')?.[9] ?? null;
}

function isLinkLocal(address: string): boolean {
  return /^fe[89ab]/i.test(address);
}
