/** Parses `cpu.max`: `200000 100000` is two cores, `max 100000` is no limit (null). */
export function parseCpuMax(text: string): number | null {
  const [quota = '', period = ''] = text.trim().split(' ');
  const cores = Number(quota) / Number(period);
  return Number.isFinite(cores) && cores > 0 ? cores : null;
}

/** Returns the value of the line `name value`; null without such a line. */
export function parseKeyed(text: string, name: string): number | null {
  const found = new RegExp(`^${name} (\\d+)$`, 'm').exec(text)?.[1];
  return found === undefined ? null : Number(found);
}
