/** What a benchmark may be told by the environment: `PICKET_BENCH_<name>`, a number. The one place that reads it. */
export function benchSetting(name: string, fallback: number): number {
  return Number(process.env[`PICKET_BENCH_${name}`] ?? fallback);
}
