import type { ServerDisk } from '../../../api/types.ts';

/** A disk that will be full later than this is no news for the first line of the page. */
const SOON_MS = 7 * 86_400_000;
const FULL_PERCENT = 99;

type Disk = Pick<ServerDisk, 'used_percent' | 'available_bytes' | 'forecast'>;

/**
 * Returns the disk that needs attention first: one that is full, otherwise the one that will be full first within a
 * week; null if there is none. File systems that are always full, such as images, have nothing available and do not
 * grow, so they do not count. Pure.
 */
export function soonestFull<One extends Disk>(disks: readonly One[], nowMs: number = Date.now()): One | null {
  const filling = disks
    .filter(({ forecast }) => forecast !== null && Date.parse(forecast.full_at) - nowMs < SOON_MS)
    .sort((a, b) => fullMs(a) - fullMs(b));
  const full = disks.find(
    ({ used_percent, available_bytes }) => (used_percent ?? 0) >= FULL_PERCENT && available_bytes > 0,
  );
  return full ?? filling[0] ?? null;
}

function fullMs({ forecast }: Disk): number {
  return forecast === null ? Number.POSITIVE_INFINITY : Date.parse(forecast.full_at);
}
