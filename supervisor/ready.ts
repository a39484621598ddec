import type { Clock } from '../kernel/clock.js';

const POLL_MS = 100;
const READY_TIMEOUT_MS = 60_000;

/** Resolves when the URL returns a success status. Throws after a minute without one. */
export async function waitUntilReady(url: string, clock: Clock): Promise<void> {
  const deadline = clock.monotonic() + READY_TIMEOUT_MS;
  while (clock.monotonic() < deadline) {
    const ok = await fetch(url).then(
      (response) => response.ok,
      () => false, // Not listening yet.
    );
    if (ok) return;
    await clock.sleep(POLL_MS);
  }
  throw new Error(`${url} did not return 200 within ${READY_TIMEOUT_MS / 1000} s; see the log above for the reason`);
}
