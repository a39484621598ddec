const ROUNDS = 5;

/**
 * Returns whether two kinds of work take about as long: their medians differ by less than a factor of two in one of five
 * rounds. What else the machine does differs from round to round; a difference of the work does not. `runs` is odd.
 */
export async function takeAsLong(
  runs: number,
  works: readonly [(run: number) => Promise<unknown>, (run: number) => Promise<unknown>],
): Promise<{ isEqual: boolean; medians: string }> {
  const medians: string[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const times: [number[], number[]] = [[], []];
    for (let run = 0; run < runs; run++) {
      for (const index of [0, 1] as const) {
        const startedMs = performance.now();
        await works[index](round * runs + run);
        times[index].push(performance.now() - startedMs);
      }
    }
    const [one = 0, other = 0] = times.map((all) => all.sort((a, b) => a - b)[runs >> 1]);
    medians.push(`${one.toFixed(1)} and ${other.toFixed(1)} ms`);
    if (one < 2 * other && other < 2 * one) return { isEqual: true, medians: medians.join(', ') };
  }
  return { isEqual: false, medians: medians.join(', ') };
}

/**
 * Returns the milliseconds of processor time of the fastest of several runs. The other runs may have been interrupted by
 * another process, so only the fastest one says how much work it is. The processor time of all threads and the elapsed
 * time are both at least that of the work, so the lower one is used.
 */
export function fastestOf(runs: number, work: () => void): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < runs; run++) {
    const startedMs = performance.now();
    const before = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(before);
    fastest = Math.min(fastest, performance.now() - startedMs, (user + system) / 1_000);
  }
  return fastest;
}
