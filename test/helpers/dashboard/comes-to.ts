import { isDeepStrictEqual } from 'node:util';
import type { Test } from 'tap';
import { waitFor } from '../wait.js';

const SHOWN_MS_MAX = 30_000;
const LOOK_MS = 50;

/**
 * Asserts that what is read comes to be this. A page shows what an answer or a key did a moment later, so it is read until
 * then. A page that never does fails the assertion with what it showed last.
 */
export async function comesTo<T>(
  t: Pick<Test, 'same'>,
  read: () => Promise<T> | T,
  expected: NoInfer<T>,
  message: string = JSON.stringify(expected),
): Promise<void> {
  let last: { value: T } | undefined;
  const isThere = async () => {
    last = { value: await read() };
    return isDeepStrictEqual(last.value, expected);
  };
  await waitFor(message, SHOWN_MS_MAX, isThere, LOOK_MS).catch((error: Error) => {
    if (last === undefined) throw error;
  });
  t.same(last?.value, expected, message);
}
