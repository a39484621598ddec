import type { Logger } from '../../kernel/logger.js';
import { waitAtMost } from '../../kernel/wait-at-most.js';
import type { CheckResultCodec } from '../../proto/load.js';
import type { MonitorDirectory, MonitorLookup } from '../monitors/monitors.js';
import { voteValidMs } from '../monitors/monitors.js';
import type { AssignedSlots, NodeRecord, ProbeIdentity, RecordHandler, RecordRejection } from '../nodes/nodes.js';
import { rawExpiresAt } from '../retention/retention.js';
import type { DatabaseClock } from '../storage/clock/database-clock.js';
import { type DecodedResult, decodeResult, SLOT_AHEAD } from './decode.js';
import { type ResultDocument, resultId } from './documents.js';
import type { LiveUpdate } from './live-store.js';
import type { LiveWrites } from './live-writes.js';
import type { ResultMetrics } from './metrics.js';
import { createMonitorsOfResults, type Refusal } from './monitor-of-result.js';
import { createResultBudget } from './result-budget.js';
import type { ResultsStore } from './store.js';

interface RecordResultsNeeds {
  codec: CheckResultCodec;
  directory: Pick<MonitorDirectory, 'lookup' | 'refresh'>;
  assigned: AssignedSlots;
  results: Pick<ResultsStore, 'insert'>;
  live: Pick<LiveWrites, 'apply'>;
  /** Evaluates these monitors now. If it fails, the sweep evaluates them a second later. */
  evaluate(monitorIds: string[]): Promise<void>;
  /** Called with the certificates of stored results. Never rejects. */
  certificatesSeen(certificates: readonly { monitorId: string; fingerprint: string }[]): Promise<void>;
  metrics: ResultMetrics;
  clock: Pick<DatabaseClock, 'monotonic' | 'setBackMs' | 'sleep'>;
  logger: Logger;
}

/** Why a result is rejected that exceeds `result-budget.ts`. */
const OVER_BUDGET = 'over budget';

/** The next results of a probe wait for the evaluation of these, but not longer than this. */
const EVALUATION_MS_MAX = 3_000;

/** A result that will be stored, and its monitor. */
interface AcceptedResult {
  result: DecodedResult;
  monitor: MonitorLookup;
}

/**
 * Accepts the batches of probes: stores each result once, updates the live results, and evaluates the monitors with a
 * failed check. Idempotent: a batch may come again, whole or in parts, here or on another control plane.
 */
export function createRecordResults(needs: RecordResultsNeeds): RecordHandler {
  const { codec, results, live, evaluate, metrics, logger } = needs;
  const monitors = createMonitorsOfResults(needs);
  const budget = createResultBudget(needs.clock);

  async function accept(node: ProbeIdentity, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]> {
    const rejections: RecordRejection[] = [];
    const refuse = (seq: number, { kind, reason }: Refusal) => {
      rejections.push({ seq, reason });
      metrics.refused(kind);
    };
    const decoded: { seq: number; result: DecodedResult }[] = [];
    const receipt = { receivedAtMs, latestMs: receivedAtMs + needs.clock.setBackMs() };
    for (const { seq, bytes } of records) {
      const outcome = decodeResult(codec, bytes, receipt);
      if ('result' in outcome) decoded.push({ seq, result: outcome.result });
      else refuse(seq, { kind: outcome.refused === SLOT_AHEAD ? 'slot_ahead' : 'malformed', reason: outcome.refused });
    }
    await monitors.refresh(
      node,
      decoded.map(({ result }) => result),
    );
    const accepted: AcceptedResult[] = [];
    const counts = budget.of(node.nodeId);
    for (const { seq, result } of decoded) {
      const monitor = monitors.of(node, result, receivedAtMs);
      if ('kind' in monitor) refuse(seq, monitor);
      else if (budget.take(counts, monitor.id, result.slotMs)) accepted.push({ result, monitor });
      else rejections.push({ seq, reason: OVER_BUDGET });
    }
    await store(node, accepted, receivedAtMs);
    await evaluateFailing(accepted, receivedAtMs);
    await needs.certificatesSeen(certificatesOf(accepted));
    if (rejections.length > 0) countOverBudget(node, rejections);
    return rejections;
  }

  async function store(node: ProbeIdentity, accepted: readonly AcceptedResult[], receivedAtMs: number): Promise<void> {
    try {
      await results.insert(accepted.map((one) => resultDocument(node, one, receivedAtMs)));
      await live.apply(liveUpdates(node, accepted, receivedAtMs));
    } catch (error) {
      budget.forget(node.nodeId);
      throw error;
    }
  }

  function countOverBudget(node: ProbeIdentity, rejections: readonly RecordRejection[]): void {
    const count = rejections.filter(({ reason }) => reason === OVER_BUDGET).length;
    if (count === 0) return;
    metrics.overBudget(node.location, count);
    logger.warn({ node, results: count }, 'refused results of a probe beyond the limit of a monitor and minute');
  }

  async function evaluateFailing(accepted: readonly AcceptedResult[], receivedAtMs: number): Promise<void> {
    const failing = new Set<string>();
    for (const { result, monitor } of accepted) {
      if (!result.up && !monitor.paused && !isLate(result, monitor, receivedAtMs)) failing.add(monitor.id);
    }
    if (failing.size === 0) return;
    // The results are stored, so the probe may delete them, also when a monitor cannot be evaluated.
    const evaluation = evaluate([...failing]).catch((error: unknown) => {
      logger.error({ err: error, monitors: failing.size }, 'evaluation of a batch failed; the next sweep repeats it');
    });
    await waitAtMost(needs.clock, EVALUATION_MS_MAX, evaluation);
  }

  return { accept, delayMs: () => 0 };
}

function certificatesOf(accepted: readonly AcceptedResult[]): { monitorId: string; fingerprint: string }[] {
  return accepted.flatMap(({ result: { certificate }, monitor }) =>
    certificate === null ? [] : [{ monitorId: monitor.id, fingerprint: certificate.fingerprint }],
  );
}

/** Whether a result is too old to be a vote. It is stored as history and opens no incident. */
function isLate(result: DecodedResult, monitor: MonitorLookup, receivedAtMs: number): boolean {
  return receivedAtMs - result.checkedAtMs > voteValidMs(monitor.interval_seconds);
}

function resultDocument(
  node: ProbeIdentity,
  { result, monitor }: AcceptedResult,
  receivedAtMs: number,
): ResultDocument {
  return {
    _id: resultId(monitor.id, result.slotMs, node.location, result.attempt),
    workspace_id: monitor.workspace_id,
    monitor_id: monitor.id,
    location: node.location,
    slot_ms: result.slotMs,
    attempt: result.attempt,
    final: result.final,
    reason: result.reason,
    checked_at_ms: result.checkedAtMs,
    received_at: new Date(receivedAtMs),
    covers_ms: monitor.interval_seconds * 1_000,
    up: result.up,
    response_time_ms: result.responseTimeMs,
    timings: result.timings,
    http_status: result.httpStatus,
    error: result.error,
    address: result.address,
    expires_at: rawExpiresAt(monitor.plan, result.slotMs),
  };
}

function liveUpdates(node: ProbeIdentity, accepted: readonly AcceptedResult[], receivedAtMs: number): LiveUpdate[] {
  const updates: LiveUpdate[] = [];
  for (const { result, monitor } of accepted) {
    if (result.monitorVersion < monitor.live_from_version) continue;
    updates.push({
      workspaceId: monitor.workspace_id,
      monitorId: monitor.id,
      monitorVersion: result.monitorVersion,
      location: node.location,
      result: {
        checked_at_ms: result.checkedAtMs,
        slot_ms: result.slotMs,
        attempt: result.attempt,
        final: result.final,
        received_at_ms: receivedAtMs,
        up: result.up,
        response_time_ms: result.responseTimeMs,
        http_status: result.httpStatus,
        error: result.error,
      },
      certificate: result.certificate,
    });
  }
  return updates;
}
