import type { Disk } from '../../proto/generated/picket/link/v1/Disk.js';
import { isDeviceName } from '../../proto/metrics.js';
import type { SampleValues } from '../sample-values.js';
import type { DeviceLimits } from './device-limits.js';
import { inodesUsedPercent, usedPercent } from './file-system-size.js';
import { type Mount, parseMounts, realMounts } from './parsers/mounts.js';
import type { SystemFiles } from './system-files.js';

export interface FileSystems {
  sample(values: SampleValues): void;
  /** Reads the current file systems for the inventory. */
  disks(): Disk[];
}

export function createFileSystems(needs: { files: SystemFiles; limits: DeviceLimits }): FileSystems {
  const { files, limits } = needs;
  let known: { text: string; mounts: readonly Mount[] } | null = null;

  /** Parses the mounts only if one was added or removed. */
  function mounts(): readonly Mount[] {
    const text = files.read('/proc/self/mountinfo', '/proc/self/mountinfo');
    if (text === null) return [];
    if (known?.text !== text) {
      // In a container, single files of the host such as /etc/hosts are mounts, too.
      const real = realMounts(parseMounts(text).filter(({ mount }) => isDeviceName(mount) && isDirectory(mount)));
      known = { text, mounts: limits.first('mounts', real) };
    }
    return known.mounts;
  }

  function isDirectory(mount: string): boolean {
    return mount === '/' || files.isDirectory(mount);
  }

  return {
    sample(values) {
      let fullest = -1;
      let fullestInodes = -1;
      for (const { mount } of mounts()) {
        const size = files.size(mount);
        const used = size && usedPercent(size);
        const inodes = size && inodesUsedPercent(size);
        if (used !== null) values.add('DISK_USED_PERCENT', mount, used);
        if (inodes !== null) values.add('DISK_INODES_USED_PERCENT', mount, inodes);
        fullest = Math.max(fullest, used ?? -1);
        fullestInodes = Math.max(fullestInodes, inodes ?? -1);
      }
      // Without any file system these are negative, and `add` leaves them out.
      values.add('DISK_USED_PERCENT', '', fullest);
      values.add('DISK_INODES_USED_PERCENT', '', fullestInodes);
    },
    disks: () =>
      mounts().flatMap((mount) => {
        const size = files.size(mount.mount);
        if (size === null) return [];
        return {
          mount: mount.mount,
          device: mount.source,
          type: mount.type,
          sizeBytes: size.sizeBytes,
          usedBytes: size.sizeBytes - size.freeBytes,
          availableBytes: size.availableBytes,
          blockDevice: blockDeviceOf(files, mount),
        };
      }),
  };
}

/** Returns the whole device in `/proc/diskstats` that contains a file system: `sda` for `/dev/sda1`. */
function blockDeviceOf(files: SystemFiles, { deviceNumber, source }: Mount): string {
  // The number of a file system on several devices is not that of a device. Then the first device is found by name.
  const path =
    files.link(`/sys/dev/block/${deviceNumber}`) ?? files.link(`/sys/class/block/${source.split('/').at(-1)}`);
  if (path === null) return '';
  const parts = path.split('/');
  const index = parts.lastIndexOf('block');
  return parts[index + 1] ?? '';
}
