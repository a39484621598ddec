const MS_PER_SECOND = 1_000;

/**
 * Where a location's slots lie within the interval. Monitors are spread by a hash of their id, and the locations
 * of one monitor evenly after one another, so that it is looked at from somewhere as often as can be.
 */
export function slotPhaseMs(
  monitorId: string,
  intervalSeconds: number,
  locationIndex: number,
  locationCount: number,
): number {
  const intervalMs = intervalSeconds * MS_PER_SECOND;
  const step = Math.floor((locationIndex * intervalMs) / locationCount);
  return (hash(monitorId) + step) % intervalMs;
}

const FNV_OFFSET = 0x811c9dc5;
const FNV_PRIME = 0x01000193;

/** FNV-1a with a final mix, so that ids made one after the other land far apart. */
function hash(text: string): number {
  let value = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
