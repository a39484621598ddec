/** One line of `/proc/self/mountinfo`. */
export interface Mount {
  /** Such as `8:1`. All mounts of one file system have the same number. */
  deviceNumber: string;
  /** The mount point. */
  mount: string;
  type: string;
  /** The mounted device, such as `/dev/sda1`. */
  source: string;
}

/**
 * File systems that store data on a disk of this machine. Network file systems are left out, because `statfs` blocks
 * while their server is unreachable. Read-only images (squashfs, iso9660) are left out, because they are always full.
 */
const REAL = new Set([
  'apfs',
  'bcachefs',
  'btrfs',
  'exfat',
  'ext2',
  'ext3',
  'ext4',
  'f2fs',
  'jfs',
  'msdos',
  'nilfs2',
  'ntfs',
  'ntfs3',
  'reiserfs',
  'ufs',
  'vfat',
  'xfs',
  'zfs',
]);
/** These count only as the root of a container or a small virtual machine. */
const REAL_AS_ROOT = new Set(['overlay', 'aufs', 'virtiofs', '9p', 'fuse-overlayfs', 'fuse.fuse-overlayfs']);

/** Parses `/proc/self/mountinfo`. Its paths contain whitespace and backslashes as octal escapes. */
export function parseMounts(text: string): Mount[] {
  const mounts: Mount[] = [];
  for (const line of text.split('\n')) {
    const [before = '', after] = line.split(' - ');
    const [, , deviceNumber, , mount] = before.split(' ');
    const [type, source] = after?.split(' ') ?? [];
    if (deviceNumber === undefined || mount === undefined || type === undefined) continue;
    mounts.push({ deviceNumber, mount: unescapePath(mount), type, source: unescapePath(source ?? '') });
  }
  return mounts;
}

function unescapePath(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}

/**
 * Returns each real file system once, sorted by mount point. A file system with several mount points gets the shortest
 * one, because the others usually show a part of it. A later mount on the same point hides the earlier one.
 */
export function realMounts(mounts: readonly Mount[]): Mount[] {
  const visible = new Map(mounts.map((mount) => [mount.mount, mount]));
  const byDevice = new Map<string, Mount>();
  for (const mount of visible.values()) {
    if (!REAL.has(mount.type) && !(mount.mount === '/' && REAL_AS_ROOT.has(mount.type))) continue;
    const known = byDevice.get(mount.deviceNumber);
    if (known === undefined || mount.mount.length < known.mount.length) byDevice.set(mount.deviceNumber, mount);
  }
  return [...byDevice.values()].sort((a, b) => (a.mount < b.mount ? -1 : 1));
}
