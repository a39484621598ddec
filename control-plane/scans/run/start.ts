import type { Clock } from '../../../kernel/clock.js';
import type { ProbeIdentity, ProbeScans } from '../../nodes/nodes.js';
import type { StandingOf } from '../../plans/cache.js';
import { PROOF_PATH, proofRecordName, type ReadProof } from '../confirmation/proof.js';
import { QUEUED_MS_MAX } from '../create.js';
import type { ScanDocument } from '../documents.js';
import type { ScanStore } from '../store.js';
import type { FinishScan } from './finish.js';
import type { ScanLoad } from './load.js';

/** What a probe gets for a scan. */
const SCAN_MS_MAX = 90_000;
/** The scan, and a wait at a busy probe. After that, the attempt was cut off. */
const ATTEMPT_MS_MAX = 180_000;
/** A scan that could not start makes room for others for so long. */
const POSTPONED_MS = 5_000;

export interface StartNeeds {
  store: ScanStore;
  probes: ProbeScans;
  readProof: ReadProof;
  tokenOf(workspaceId: string): string;
  finish: FinishScan;
  standingOf: StandingOf;
  clock: Clock;
}

/** Starts a queued scan if it may start now. `unsent`: it has an attempt that no probe received. */
type StartScan = (scan: ScanDocument, load: ScanLoad, unsent: (scan: ScanDocument) => Promise<void>) => Promise<void>;

/** Returns how scans start. When `stopping` is aborted, a scan whose proof is being read is queued again. */
export function createStartScan(needs: StartNeeds, stopping: AbortSignal): StartScan {
  const { store, probes, finish, clock } = needs;

  /** Attempts after the first go to another probe if there is one. */
  function choose({ _id, locations, attempts, node_id }: ScanDocument, { isFree }: ScanLoad): ProbeIdentity | null {
    const key = `${_id} ${attempts}`;
    const another = probes.choose(locations, key, (nodeId) => nodeId !== node_id && isFree(nodeId));
    return another ?? probes.choose(locations, key, isFree);
  }

  /** Resolves to null if the scan does not start now. */
  async function claim(scan: ScanDocument, load: ScanLoad): Promise<ScanDocument | null> {
    const probe = choose(scan, load);
    if (probe === null) return null;
    load.add(probe.nodeId);
    const nowMs = clock.now();
    const by = { nodeId: probe.nodeId, location: probe.location, nowMs, deadlineMs: nowMs + ATTEMPT_MS_MAX };
    const claimed = await store.claim(scan, by);
    if (claimed === null) {
      load.remove(probe.nodeId);
      await store.postpone(scan, nowMs + POSTPONED_MS);
      return null;
    }
    // Now it is the turn of other workspaces. What waits for its own workspace must not fail for that.
    await store.postponeAll(scan.workspace_id, nowMs, nowMs + QUEUED_MS_MAX);
    return claimed;
  }

  return async (scan, load, unsent) => {
    const { host, target: origin, workspace_id: workspaceId } = scan;
    const postponedMs = clock.now() + POSTPONED_MS;
    if ((await needs.standingOf(workspaceId))?.stopped === true) return store.postponeAll(workspaceId, postponedMs, 0);
    if (load.isHostHeld(host)) return store.postpone(scan, postponedMs);
    const claimed = await claim(scan, load);
    if (claimed === null) return;
    const { attempts, deadline_at_ms: deadlineMs } = scan;
    const requeue = (nextAtMs: number) => store.requeue(claimed, { nextAtMs, deadlineMs, attempts });
    const proof = await needs.readProof({ host, origin, token: needs.tokenOf(workspaceId) }, stopping);
    if (stopping.aborted) return requeue(clock.now());
    if ('problem' in proof) {
      const how = `Publish the token as TXT record ${proofRecordName(host)} or as the file ${PROOF_PATH}, then start another scan.`;
      const message = `${host} does not confirm that this workspace may scan it: ${proof.problem}. ${how}`;
      return finish.fail(claimed, { code: 'not_confirmed', message });
    }
    const proven = await store.proven(claimed, proof.method, clock.now() + ATTEMPT_MS_MAX);
    if (proven === 'host_held') return requeue(clock.now() + POSTPONED_MS);
    if (proven === 'ended') return;
    const task = { scanId: scan._id, attempt: claimed.attempts, url: origin, timeoutMs: SCAN_MS_MAX };
    if (!probes.start(claimed.node_id ?? '', task)) await unsent(claimed);
  };
}
