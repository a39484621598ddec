import type { Clock, Timer } from '../../../../kernel/clock.js';

/** Nodes that are admitted at the same time. Each needs a few reads and writes of the database. */
const ADMITTED_AT_ONCE = 32;
/** A node gives up after 10 s without a welcome, so it must get an answer before. */
const WAIT_MS_MAX = 5_000;
const WAITING_MAX = 2_000;

/** Limits how many nodes are admitted at the same time, so that a mass of returning nodes delays nobody else. */
export interface AdmissionQueue {
  /**
   * Resolves to a function that ends the turn of the caller, in the order of the calls. Resolves to null when too many
   * wait or the wait was too long: the node must come back later.
   */
  enter(): Promise<(() => void) | null>;
}

interface Waiter {
  admit(turn: (() => void) | null): void;
  timer: Timer;
}

export function createAdmissionQueue(clock: Pick<Clock, 'after'>): AdmissionQueue {
  const waiters = new Set<Waiter>();
  let admitted = 0;

  function turn(): () => void {
    admitted += 1;
    let isOver = false;
    return () => {
      if (isOver) return;
      isOver = true;
      admitted -= 1;
      const [next] = waiters;
      if (next === undefined) return;
      waiters.delete(next);
      next.timer.cancel();
      next.admit(turn());
    };
  }

  return {
    async enter() {
      if (admitted < ADMITTED_AT_ONCE) return turn();
      if (waiters.size >= WAITING_MAX) return null;
      return new Promise((resolve) => {
        const waiter: Waiter = {
          admit: resolve,
          timer: clock.after(WAIT_MS_MAX, () => {
            waiters.delete(waiter);
            resolve(null);
          }),
        };
        waiters.add(waiter);
      });
    },
  };
}
