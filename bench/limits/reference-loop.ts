const ROUNDS = 5;
const STEPS = 20_000_000;

/**
 * Returns the milliseconds of a loop that does the same work everywhere, the fastest of five runs. Beside it, a figure in
 * milliseconds says whether the product or the machine became slower.
 */
export function referenceLoopMs(): number {
  let fastest = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const startedMs = performance.now();
    let state = 1;
    for (let step = 0; step < STEPS; step++) state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    // Reading the state keeps the compiler from dropping the loop.
    if (state === 0) throw new Error('the generator reached zero');
    fastest = Math.min(fastest, performance.now() - startedMs);
  }
  return fastest;
}
