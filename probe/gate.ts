/** Lets a bounded number of checks run at the same time; the others wait in line. */
export interface Gate {
  /** Resolves true once it is this one's turn, which ends with `leave`; false when `signal` was aborted before. */
  enter(urgent: boolean, signal: AbortSignal): Promise<boolean>;
  leave(): void;
  running(): number;
}

interface Waiting {
  admit(entered: boolean): void;
}

/** Urgent ones (retries and commands) pass those that only wait for their slot. */
export function createGate(runningMax: number): Gate {
  const urgentLine = new Set<Waiting>();
  const ordinaryLine = new Set<Waiting>();
  let running = 0;

  function next(): Waiting | undefined {
    for (const line of [urgentLine, ordinaryLine]) {
      for (const waiting of line) {
        line.delete(waiting);
        return waiting;
      }
    }
    return undefined;
  }

  return {
    enter(urgent, signal) {
      if (signal.aborted) return Promise.resolve(false);
      if (running < runningMax) {
        running += 1;
        return Promise.resolve(true);
      }
      const line = urgent ? urgentLine : ordinaryLine;
      return new Promise((resolve) => {
        const giveUp = () => {
          if (line.delete(waiting)) resolve(false);
        };
        const waiting: Waiting = {
          admit(entered) {
            signal.removeEventListener('abort', giveUp);
            resolve(entered);
          },
        };
        line.add(waiting);
        signal.addEventListener('abort', giveUp, { once: true });
      });
    },
    leave() {
      const waiting = next();
      // The place passes on to the next in line.
      if (waiting === undefined) running -= 1;
      else waiting.admit(true);
    },
    running: () => running,
  };
}
