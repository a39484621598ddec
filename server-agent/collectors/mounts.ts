/** One line of `/proc/self/mountinfo`. */
export interface Mount {
  /** `8:1`; the same for every mount of one file system. */
  deviceNumber: string;
  mount: string;
  type: string;
  /** What is mounted, such as `/dev/sda1`. */
  source: string;
}

/**
 * File systems that keep data on a disk of this machine. Those of the network are left out: asking one whose server
 * is gone waits for it without end. Images that are full by nature (squashfs, iso9660) can never be anything else.
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
/** What only the root of a container or a small virtual machine is made of. */
const REAL_AS_ROOT = new Set(['overlay', 'aufs', 'virtiofs', '9p', 'fuse-overlayfs', 'fuse.fuse-overlayfs']);

/** Blanks, line ends and backslashes stand as octal numbers in it. */
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
 * Each real file system once, by the shortest of its mount points: what is mounted a second time is a part of the
 * same. A later mount on the same point hides the earlier one. In order of the mount point.
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
