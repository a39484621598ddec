import type { Logger } from '../../kernel/logger.js';

export type DeviceClass = 'mounts' | 'block devices' | 'interfaces' | 'cores';

/** The agent sends the metrics of at most this many devices of each class, and the number of the others. */
export const DEVICES_MAX: Readonly<Record<DeviceClass, number>> = {
  mounts: 64,
  'block devices': 64,
  interfaces: 64,
  cores: 256,
};

/** Limits the devices of each class, counts the others, and logs one line when their number grows. */
export interface DeviceLimits {
  /** Returns the first devices, as many as the class allows. */
  first<T>(kind: DeviceClass, devices: readonly T[]): readonly T[];
  /** Returns the number of devices left out, of all classes. */
  leftOut(): number;
}

export function createDeviceLimits(logger: Logger): DeviceLimits {
  const leftOut = new Map<DeviceClass, number>();
  const logged = new Map<DeviceClass, number>();
  return {
    first(kind, devices) {
      const max = DEVICES_MAX[kind];
      const count = Math.max(0, devices.length - max);
      leftOut.set(kind, count);
      // The number must double before it is logged again, so that small changes do not fill the log.
      if (count > 2 * (logged.get(kind) ?? 0)) {
        logged.set(kind, count);
        logger.warn({ left_out: count, kept: max }, `too many ${kind} for one sample, leaving out the others`);
      }
      return devices.length > max ? devices.slice(0, max) : devices;
    },
    leftOut: () => [...leftOut.values()].reduce((sum, count) => sum + count, 0),
  };
}
