import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** Resolves when it is the turn of the caller: of one caller in each pass of the event loop, in the order of the calls. */
export type NextTurn = () => Promise<void>;

/**
 * Returns turns for work that takes long. Without them, such work of many clients or nodes that arrives together is done at
 * once, and nothing else until then.
 */
export function createTurns(): NextTurn {
  let last: Promise<void> = Promise.resolve();
  return () => {
    last = last.then(() => yieldToEventLoop());
    return last;
  };
}
