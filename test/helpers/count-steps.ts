import { Session } from 'node:inspector';

/** What this module uses of the answer of `Profiler.takePreciseCoverage`. */
interface Coverage {
  result: { url: string; functions: { ranges: { count: number }[] }[] }[];
}

/** Counts the work of the product in a unit that does not depend on the speed of the machine. */
export interface StepCounter {
  /** Resolves to how many functions, passes of loops and branches `work` runs, in the product and its libraries. */
  stepsOf(work: () => void | Promise<void>): Promise<number>;
  stop(): void;
}

/**
 * Starts to count with V8's own coverage. Only what runs for the first time after the start is counted with its loops, so a
 * test starts the counter before everything else. Code of Node.js itself, such as `JSON.parse`, is not counted.
 */
export function startStepCounter(): StepCounter {
  const session = new Session();
  session.connect();
  const post = (method: string, parameters: object = {}): unknown => {
    let answer: unknown;
    // The session belongs to this thread, so the answer is there when `post` returns.
    session.post(method, parameters, (error, result) => {
      if (error !== null) throw error;
      answer = result;
    });
    return answer;
  };
  post('Profiler.enable');
  post('Profiler.startPreciseCoverage', { callCount: true, detailed: true });
  /** Returns the steps since the last call. */
  const take = () => {
    const { result } = post('Profiler.takePreciseCoverage') as Coverage;
    const counted = result.filter(({ url }) => !url.startsWith('node:') && !url.includes('/test/'));
    const ranges = counted.flatMap(({ functions }) => functions.flatMap((one) => one.ranges));
    return ranges.reduce((sum, { count }) => sum + count, 0);
  };
  return {
    async stepsOf(work) {
      take();
      await work();
      return take();
    },
    stop() {
      session.disconnect();
    },
  };
}
