import type { Clock, Timer } from '../../kernel/clock.js';
import { createRotation, type Share } from '../../kernel/concurrency/rotation.js';

interface Waiter {
  timer: Timer;
  refuse(): void;
}

/** Where slowed-down requests wait. */
export interface WaitingRoom {
  /**
   * Resolves after the delay. When the room is full, the newest request of the account with most of them rejects with `refusal()`
   * in favour of one whose account has fewer.
   */
  wait(share: Share, delayMs: number): Promise<void>;
}

export function createWaitingRoom(needs: {
  clock: Pick<Clock, 'after'>;
  waitingMax: number;
  refusal: () => Error;
}): WaitingRoom {
  const { clock, waitingMax, refusal } = needs;
  const waiting = createRotation<Waiter>();

  function makeRoom({ group }: Share): boolean {
    if (waiting.size() < waitingMax) return true;
    const heaviest = waiting.heavierThan(group);
    if (heaviest === null) return false;
    waiting.dropOf(heaviest)?.refuse();
    return true;
  }

  return {
    wait: (share, delayMs) =>
      new Promise((resolve, reject) => {
        if (!makeRoom(share)) {
          reject(refusal());
          return;
        }
        const waiter: Waiter = {
          timer: clock.after(delayMs, () => {
            waiting.remove(share, waiter);
            resolve();
          }),
          refuse() {
            waiter.timer.cancel();
            reject(refusal());
          },
        };
        waiting.add(share, waiter);
      }),
  };
}
