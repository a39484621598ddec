import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { Job } from '../../slice.js';
import { QUEUED_MS_MAX } from '../create.js';
import type { ScanDocument } from '../documents.js';
import { createScanLoad } from './load.js';
import { createStartScan, type StartNeeds } from './start.js';

const PERIOD_MS = 1_000;
const BATCH_MAX = 20;
const PARALLEL = 4;
const ATTEMPTS_MAX = 2;
const RETRY_AFTER_MS = 5_000;

interface ScanJobNeeds extends StartNeeds {
  logger: Logger;
}

export interface ScanJob extends Job {
  /** Starts what is queued and ends what is overdue, once. */
  runOnce(): Promise<void>;
}

/**
 * Gives queued scans to probes. It runs on every control plane, because each reaches the probes that are connected to it; a claim
 * in the database makes sure that one of them gives an attempt to one probe. A scan whose probe or control plane was killed is
 * given to a probe once more, and then fails.
 */
export function createScanJob(needs: ScanJobNeeds): ScanJob {
  const { store, probes, finish, clock, logger } = needs;
  const stopping = new AbortController();

  const start = createStartScan(needs, stopping.signal);

  /** Ends an attempt that has no result: another one follows, or the scan fails. */
  async function settle(scan: ScanDocument): Promise<void> {
    if (scan.status === 'queued') {
      const message = `No probe of ${scan.locations.join(', ')} was connected and free within 10 minutes.`;
      return finish.fail(scan, { code: 'no_probe', message });
    }
    if (scan.attempts < ATTEMPTS_MAX) {
      const nowMs = clock.now();
      const deadlineMs = nowMs + QUEUED_MS_MAX;
      return store.requeue(scan, { nextAtMs: nowMs + RETRY_AFTER_MS, deadlineMs, attempts: scan.attempts });
    }
    const message = `No result arrived from a probe in ${scan.location ?? 'any location'} in ${ATTEMPTS_MAX} attempts.`;
    return finish.fail(scan, { code: 'no_result', message });
  }

  async function each(scans: readonly ScanDocument[], work: (scan: ScanDocument) => Promise<void>): Promise<void> {
    await inParallel(scans, PARALLEL, async (scan) => {
      // A failed scan must not stop the others. Its deadline brings it back.
      await work(scan).catch((err: unknown) =>
        logger.warn({ err, scan: scan._id }, 'starting a scan failed, retrying'),
      );
    });
  }

  async function runOnce(): Promise<void> {
    await each(await store.overdue(clock.now(), BATCH_MAX), settle);
    const load = createScanLoad(await store.running());
    const locations = probes.locations(load.isFree);
    if (locations.length === 0) return;
    const of = { locations, withoutWorkspaces: load.fullWorkspaces(), nowMs: clock.now() };
    await each(await store.queued(of, BATCH_MAX), (scan) => start(scan, load, settle));
  }

  const task = createPeriodicTask({
    clock,
    periodMs: PERIOD_MS,
    run: runOnce,
    onFailure: (err) => logger.warn({ err }, 'starting scans failed, retrying'),
  });
  probes.onResult((node, result) => void finish.received(node, result));
  return {
    runOnce,
    start: task.start,
    async stop() {
      stopping.abort();
      await task.stop();
    },
  };
}
