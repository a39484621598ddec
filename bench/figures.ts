/** The value below which `share` (0 to 1) of the values lie; NaN of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

export function round(value: number, digits = 3): number {
  return Number(value.toFixed(digits));
}

/** One result of a benchmark, on one line. `limit` is what it is compared to; `ok` whether it holds. */
export function report(
  figure: { name: string; value: number; unit: string; limit: number; atMost: boolean } & Record<string, unknown>,
): void {
  const { name, value, unit, limit, atMost, ...rest } = figure;
  const ok = atMost ? value <= limit : value >= limit;
  console.log(
    JSON.stringify({ name, value: round(value), unit, [atMost ? 'at_most' : 'at_least']: limit, ok, ...rest }),
  );
}
