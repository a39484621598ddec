import { waitFor } from '../wait.js';

const DRAWN_MS_MAX = 10_000;

/**
 * Resolves to what is wrong with a page: nothing as soon as nothing is, otherwise what still is after a while. A page that is
 * just being drawn, or got another size, can break a rule for a moment.
 */
export async function whatStays<T>(read: () => Promise<T[]>): Promise<T[]> {
  let last: T[] = [];
  const isFine = async () => {
    last = await read();
    return last.length === 0;
  };
  await waitFor('a page with nothing wrong', DRAWN_MS_MAX, isFine).catch((error: Error) => {
    if (last.length === 0) throw error;
  });
  return last;
}
