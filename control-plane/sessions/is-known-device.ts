import type { Client } from '../http/client/client.js';
import { addressBucket } from '../http/limits/address-bucket.js';
import { deviceOf } from './devices/device.js';
import type { DevicesStore } from './devices/store.js';

/**
 * Resolves to whether a person has logged in from this device and network before. Nobody else can say so of themselves, because the
 * network is that of their connection. For null, an address that nobody has, it takes the same read.
 */
export type IsKnownDevice = (userId: string | null, client: Pick<Client, 'ip' | 'userAgent'>) => Promise<boolean>;

export function createIsKnownDevice(devices: Pick<DevicesStore, 'isKnown'>): IsKnownDevice {
  return (userId, { ip, userAgent }) =>
    devices.isKnown(userId ?? '', { device: deviceOf(userAgent), network: addressBucket(ip) });
}
