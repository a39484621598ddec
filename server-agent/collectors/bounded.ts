import type { Logger } from '../../kernel/logger.js';

export type DeviceClass = 'mounts' | 'block devices' | 'interfaces' | 'cores';

/** So many of each are reported; of the rest, that it is there. */
export const DEVICES_MAX: Readonly<Record<DeviceClass, number>> = {
  mounts: 64,
  'block devices': 64,
  interfaces: 64,
  cores: 256,
};

/** Keeps the first devices of each class, counts the others, and tells of them in one line when they become more. */
export interface DeviceBounds {
  first<T>(kind: DeviceClass, devices: readonly T[]): readonly T[];
  leftOut(): number;
}

export function createDeviceBounds(logger: Logger): DeviceBounds {
  const leftOut = new Map<DeviceClass, number>();
  const told = new Map<DeviceClass, number>();
  return {
    first(kind, devices) {
      const max = DEVICES_MAX[kind];
      const count = Math.max(0, devices.length - max);
      leftOut.set(kind, count);
      // Twice as many as were told of, so that a number that wavers fills no log.
      if (count > 2 * (told.get(kind) ?? 0)) {
        told.set(kind, count);
        logger.warn({ left_out: count, kept: max }, `more ${kind} than a report may hold, the others are left out`);
      }
      return devices.length > max ? devices.slice(0, max) : devices;
    },
    leftOut: () => [...leftOut.values()].reduce((sum, count) => sum + count, 0),
  };
}
