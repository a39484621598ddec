const ROUNDS = 5;

/**
 * Returns whether two kinds of work take about the same time: their medians differ by less than a factor of two in one of
 * five rounds. What else the machine does differs from round to round; a difference of the work does not. `runs` is odd.
 */
export async function compareDurations(
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
