import { setTimeout as sleep } from 'node:timers/promises';
import { deadlineMs } from './deadline.js';

/**
 * Polls until `probe` returns something other than null, undefined or false. After `timeoutMs` (six times as long in CI), it
 * throws an error that names `what`.
 */
export async function waitFor<T>(
  what: string,
  timeoutMs: number,
  probe: () => Promise<T | null | undefined | false> | T | null | undefined | false,
  everyMs = 100,
): Promise<T> {
  const deadline = performance.now() + deadlineMs(timeoutMs);
  let last: unknown;
  while (performance.now() < deadline) {
    try {
      const value = await probe();
      if (value !== null && value !== undefined && value !== false) return value;
      last = value;
    } catch (error) {
      last = error;
    }
    await sleep(everyMs);
  }
  throw new Error(
    `${what}: not within ${deadlineMs(timeoutMs)} ms (last: ${last instanceof Error ? last.message : JSON.stringify(last)})`,
  );
}
