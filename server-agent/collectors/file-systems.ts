import type { Disk } from '../../proto/generated/picket/link/v1/Disk.js';
import { isDeviceName, type ReportValues } from '../report-values.js';
import type { DeviceBounds } from './bounded.js';
import { type Mount, parseMounts, realMounts } from './mounts.js';
import type { FileSystemSize, SystemFiles } from './system-files.js';

/** As `df`: what root keeps for itself counts as neither used nor to be had. null for a file system without a size. */
export function usedPercent(size: FileSystemSize): number | null {
  const used = size.sizeBytes - size.freeBytes;
  const reachable = used + size.availableBytes;
  return reachable <= 0 ? null : (100 * used) / reachable;
}

/** null where inodes are made as they are needed. */
export function inodesUsedPercent(size: FileSystemSize): number | null {
  return size.inodes <= 0 ? null : (100 * (size.inodes - size.inodesFree)) / size.inodes;
}

export interface FileSystems {
  sample(values: ReportValues): void;
  /** As they are now. */
  disks(): Disk[];
}

export function createFileSystems(options: { files: SystemFiles; bounds: DeviceBounds }): FileSystems {
  const { files, bounds } = options;
  let known: { text: string; mounts: readonly Mount[] } | null = null;

  /** Looked through only when something was mounted or unmounted. */
  function mounts(): readonly Mount[] {
    const text = files.read('/proc/self/mountinfo', '/proc/self/mountinfo');
    if (text === null) return [];
    if (known?.text !== text) {
      // A container has single files of its host mounted, such as /etc/hosts.
      const real = realMounts(parseMounts(text).filter(({ mount }) => isDeviceName(mount) && isFolder(mount)));
      known = { text, mounts: bounds.first('mounts', real) };
    }
    return known.mounts;
  }

  function isFolder(mount: string): boolean {
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
      // Negative when there was none: left out.
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

/** The whole device in `/proc/diskstats` that a file system is on: `sda` for `/dev/sda1`. */
function blockDeviceOf(files: SystemFiles, { deviceNumber, source }: Mount): string {
  // File systems of several devices have a number that is none of a device: then by the name of the first.
  const path =
    files.link(`/sys/dev/block/${deviceNumber}`) ?? files.link(`/sys/class/block/${source.split('/').at(-1)}`);
  if (path === null) return '';
  const parts = path.split('/');
  const at = parts.lastIndexOf('block');
  return parts[at + 1] ?? '';
}
