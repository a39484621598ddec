import type { Clock } from '../../../kernel/clock.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import type { Logger } from '../../../kernel/logger.js';
import { createPeriodicTask } from '../../../kernel/periodic-task.js';
import type { ProbeScans } from '../../nodes/nodes.js';
import type { StandingOf } from '../../plans/cache.js';
import type { Job } from '../../slice.js';
import { PROOF_PATH, proofRecordName, type ReadProof } from '../confirmation/proof.js';
import { QUEUED_MS_MAX } from '../create.js';
import type { ScanDocument } from '../documents.js';
import type { ScanStore } from '../store.js';
import type { FinishScan } from './finish.js';

const PERIOD_MS = 1_000;
const BATCH_MAX = 20;
const PARALLEL = 4;
/** What a probe gets for a scan. */
const SCAN_MS_MAX = 90_000;
/** The proof, the scan, and a wait at a busy probe. After that, the attempt was cut off. */
const ATTEMPT_MS_MAX = 180_000;
const ATTEMPTS_MAX = 2;
const RETRY_AFTER_MS = 5_000;

interface ScanJobNeeds {
  store: ScanStore;
  probes: ProbeScans;
  readProof: ReadProof;
  tokenOf(workspaceId: string): string;
  finish: FinishScan;
  standingOf: StandingOf;
  clock: Clock;
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

  async function start(scan: ScanDocument): Promise<void> {
    if ((await needs.standingOf(scan.workspace_id))?.stopped === true) return;
    const probe = probes.choose(scan.locations, scan._id);
    if (probe === null) return;
    const nowMs = clock.now();
    const by = { nodeId: probe.nodeId, location: probe.location, nowMs, deadlineMs: nowMs + ATTEMPT_MS_MAX };
    const claimed = await store.claim(scan, by);
    if (claimed === null) return;
    const proof = await needs.readProof(
      { host: scan.host, origin: scan.target, token: needs.tokenOf(scan.workspace_id) },
      stopping.signal,
    );
    if (stopping.signal.aborted) return store.requeue(claimed, clock.now(), clock.now() + QUEUED_MS_MAX);
    if ('problem' in proof) {
      const how = `Publish the token as TXT record ${proofRecordName(scan.host)} or as the file ${PROOF_PATH}, then start another scan.`;
      const message = `${scan.host} does not confirm that this workspace may scan it: ${proof.problem}. ${how}`;
      return finish.fail(claimed, { code: 'not_confirmed', message });
    }
    await store.proven(claimed, proof.method);
    const task = { scanId: scan._id, attempt: claimed.attempts, url: scan.target, timeoutMs: SCAN_MS_MAX };
    if (!probes.start(by.nodeId, task)) await settle(claimed);
  }

  /** Ends an attempt that has no result: another one follows, or the scan fails. */
  async function settle(scan: ScanDocument): Promise<void> {
    if (scan.status === 'queued') {
      const message = `No probe of ${scan.locations.join(', ')} was connected and free within 10 minutes.`;
      return finish.fail(scan, { code: 'no_probe', message });
    }
    if (scan.attempts < ATTEMPTS_MAX) {
      return store.requeue(scan, clock.now() + RETRY_AFTER_MS, clock.now() + QUEUED_MS_MAX);
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
    const locations = probes.locations();
    if (locations.length > 0) await each(await store.queued(locations, clock.now(), BATCH_MAX), start);
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
