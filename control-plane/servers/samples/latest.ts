/** The values of the live sample, by series name. */
export type LatestValues = ReadonlyMap<string, number>;

/** Returns a value for the API; null if it is missing. */
export function rounded(value: number | undefined, decimals: 0 | 2): number | null {
  if (value === undefined || !Number.isFinite(value)) return null;
  return decimals === 0 ? Math.round(value) : Math.round(value * 100) / 100;
}
