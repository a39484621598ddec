import type { ServerDisk } from '../../../api/types.ts';
import { texts } from '../texts/texts.ts';
import { bytes } from '../units.ts';

/** A smaller part of a disk than this is not worth a word. */
const RESERVED_SHARE_MIN = 0.005;
/** The percentage of a sample and that of the latest details differ at most by this for the same disk. */
const POINTS_MAX = 1;

type Space = Pick<ServerDisk, 'size_bytes' | 'used_bytes' | 'available_bytes'>;

/** Returns what the percentage of a disk is of, as `df` counts: what is used, of what programs can use. Pure. */
export function usedOf({ used_bytes, available_bytes }: Omit<Space, 'size_bytes'>): string {
  return texts.disks.of(bytes(used_bytes), bytes(used_bytes + available_bytes));
}

/** Like `usedOf`; also names what the file system keeps for itself or for root. Pure. */
export function spaceOf(disk: Space): string {
  const reserved = disk.size_bytes - disk.used_bytes - disk.available_bytes;
  if (reserved < disk.size_bytes * RESERVED_SHARE_MIN) return usedOf(disk);
  return texts.disks.reserved(usedOf(disk), bytes(reserved));
}

/** Returns the disk that a percentage of the server is of; null if none of them has it. Pure. */
export function diskWith<One extends Pick<ServerDisk, 'used_percent'>>(
  disks: readonly One[],
  percent: number | null,
): One | null {
  if (percent === null) return null;
  const away = ({ used_percent: used }: One) => (used === null ? Number.POSITIVE_INFINITY : Math.abs(used - percent));
  const [nearest] = [...disks].sort((a, b) => away(a) - away(b));
  return nearest !== undefined && away(nearest) <= POINTS_MAX ? nearest : null;
}
