/** The clock of the wall ran this much further than time has passed: the machine slept. */
const SLEPT_MS_MIN = 1_000;

/** What a browser knows of the time, in milliseconds: since any time, and by the clock of the machine. */
interface BrowserTime {
  steadyMs(): number;
  wallMs(): number;
}

export const BROWSER_TIME: BrowserTime = { steadyMs: () => performance.now(), wallMs: () => Date.now() };

/**
 * Returns a clock for durations, in milliseconds from any time. It never goes back, as the clock of the machine does when it
 * is set; and it goes on while the machine sleeps, when some browsers stop the steady one.
 */
export function createElapsed({ steadyMs, wallMs }: BrowserTime): () => number {
  let [steady, wall, elapsedMs] = [steadyMs(), wallMs(), 0];
  return () => {
    const [steadyNow, wallNow] = [steadyMs(), wallMs()];
    const passedMs = steadyNow - steady;
    const sleptMs = wallNow - wall - passedMs;
    elapsedMs += passedMs + (sleptMs < SLEPT_MS_MIN ? 0 : sleptMs);
    [steady, wall] = [steadyNow, wallNow];
    return elapsedMs;
  };
}
