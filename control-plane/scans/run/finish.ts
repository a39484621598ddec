import type { Clock } from '../../../kernel/clock.js';
import type { Logger } from '../../../kernel/logger.js';
import type { ScanResult__Output } from '../../../proto/generated/picket/link/v1/ScanResult.js';
import type { Actor } from '../../actor.js';
import type { AuditLog } from '../../audit/audit.js';
import type { ProbeIdentity } from '../../nodes/nodes.js';
import type { RunTransaction, Transaction } from '../../storage/transaction.js';
import type { Timeline } from '../../timeline/timeline.js';
import type { ScanDaysStore } from '../days-store.js';
import type { ScanDocument, ScanFailure } from '../documents.js';
import { judge } from '../judge/judge.js';
import { readMeasured } from '../judge/measured.js';
import type { ScanStore } from '../store.js';

/** The fault is ours, so the scan does not count. */
const NOT_COUNTED = new Set(['no_probe', 'no_result']);

interface FinishNeeds {
  store: Pick<ScanStore, 'findAttempt' | 'complete' | 'fail'>;
  days: Pick<ScanDaysStore, 'takeBack'>;
  audit: AuditLog;
  timeline: Timeline;
  systemActor(workspaceId: string): Actor;
  runTransaction: RunTransaction;
  clock: Clock;
  logger: Logger;
}

/** Ends scans. Each has no effect on a scan that has ended meanwhile. */
export interface FinishScan {
  fail(scan: ScanDocument, failure: ScanFailure): Promise<void>;
  /** Receives what a probe measured. Never rejects: if it cannot be stored, the scan is run again. */
  received(node: ProbeIdentity, result: ScanResult__Output): Promise<void>;
}

export function createFinishScan(needs: FinishNeeds): FinishScan {
  const { store, days, runTransaction, clock, logger } = needs;

  async function fail(scan: ScanDocument, failure: ScanFailure): Promise<void> {
    await runTransaction(async (tx) => {
      const failed = await store.fail(tx, scan, failure, clock.now());
      if (failed === null) return;
      if (NOT_COUNTED.has(failure.code)) await days.takeBack(tx, scan.workspace_id, scan.created_at_ms);
      await record(needs, tx, failed);
    });
  }

  async function save(node: ProbeIdentity, result: ScanResult__Output): Promise<void> {
    const scan = await store.findAttempt({ id: result.scanId, attempt: result.attempt, nodeId: node.nodeId });
    if (scan === null) return;
    const measured = readMeasured(result);
    if ('code' in measured) return fail(scan, measured);
    const { findings, score } = judge(measured, clock.now());
    const { address, connections, durationMs: duration_ms } = measured;
    await runTransaction(async (tx) => {
      const done = { findings, score, effort: { address, connections, duration_ms } };
      const completed = await store.complete(tx, scan, done, clock.now());
      if (completed !== null) await record(needs, tx, completed);
    });
  }

  return {
    fail,
    async received(node, result) {
      try {
        await save(node, result);
      } catch (err) {
        logger.warn({ err, scan: result.scanId }, 'storing the result of a scan failed; the scan is run again');
      }
    },
  };
}

async function record(
  { audit, timeline, systemActor }: FinishNeeds,
  tx: Transaction,
  scan: ScanDocument,
): Promise<void> {
  const resource = { type: 'scan', id: scan._id, name: scan.target };
  const { status, score } = scan;
  await audit.record(tx, systemActor(scan.workspace_id), {
    action: 'scan.completed',
    resource,
    metadata: { status, score, failure: scan.failure?.code ?? null },
  });
  await timeline.record(tx, [
    {
      workspaceId: scan.workspace_id,
      atMs: scan.ended_at_ms ?? 0,
      type: `scan.${status}`,
      resource,
      message:
        score === null
          ? `The security scan of ${scan.target} failed: ${scan.failure?.message ?? ''}`
          : `The security scan of ${scan.target} is complete, with ${score} of 100 points.`,
      actor: 'system',
      metadata: { score },
    },
  ]);
}
