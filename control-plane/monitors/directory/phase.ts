const MS_PER_SECOND = 1_000;

/**
 * Returns the offset of a location's slots within the interval. A hash of the id spreads the monitors, and the
 * locations of one monitor follow at equal distances, so that some location checks the monitor as often as possible.
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

/** Returns the FNV-1a hash with a final mix, so that ids created one after the other have distant hashes. */
function hash(text: string): number {
  let value = FNV_OFFSET;
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), FNV_PRIME);
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35);
  return (value ^ (value >>> 16)) >>> 0;
}
