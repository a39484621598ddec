import type { Clock } from '../../kernel/clock.js';
import { createSemaphore } from '../../kernel/concurrency/semaphore.js';
import type { Logger } from '../../kernel/logger.js';
import type { ScanResult } from '../../proto/generated/picket/link/v1/ScanResult.js';
import type { ScanTask__Output } from '../../proto/generated/picket/link/v1/ScanTask.js';
import type { Scan } from './scan.js';

/** Scans that run at the same time. Others wait. */
const RUNNING_MAX = 4;
const WAITING_MAX = 100;
/** With the 90 s of a scan, its result still arrives before the control plane requests it again, after 180 s. */
const WAIT_MS_MAX = 80_000;

/** The security scans of this probe. Nothing is kept on disk: a scan that is cut off is requested again. */
export interface Scans {
  /** Idempotent while the scan runs: a repeated task has no effect. */
  request(task: ScanTask__Output): void;
  /** Cancels all scans without a result. */
  stop(): void;
}

export function createScans(needs: {
  scan: Scan;
  deliver(result: ScanResult): void;
  clock: Pick<Clock, 'monotonic'>;
  logger: Logger;
}): Scans {
  const { scan, deliver, clock, logger } = needs;
  const semaphore = createSemaphore(RUNNING_MAX);
  const stopping = new AbortController();
  const open = new Set<string>();

  async function run(task: ScanTask__Output): Promise<void> {
    const requestedMs = clock.monotonic();
    if (!(await semaphore.acquire(false, stopping.signal))) return;
    if (clock.monotonic() - requestedMs > WAIT_MS_MAX) {
      semaphore.release();
      logger.warn({ scan: task.scanId }, 'leaving out a security scan that has waited too long');
      return;
    }
    const result = await scan(task, stopping.signal).finally(() => semaphore.release());
    if (!stopping.signal.aborted) deliver(result);
  }

  return {
    request(task) {
      const key = `${task.scanId} ${task.attempt}`;
      if (stopping.signal.aborted || open.has(key) || open.size >= WAITING_MAX) return;
      open.add(key);
      run(task)
        .catch((error: unknown) =>
          logger.error({ err: error, scan: task.scanId }, 'security scan failed inside the probe'),
        )
        .finally(() => open.delete(key));
    },
    stop: () => stopping.abort(),
  };
}
