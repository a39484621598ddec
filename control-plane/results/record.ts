import type { Logger } from '../../kernel/logger.js';
import type { CheckResultCodec } from '../../proto/load.js';
import { type ResultDocument, resultId } from '../monitors/documents.js';
import type { MonitorDirectory, MonitorLookup } from '../monitors/monitors.js';
import type { NodeRecord, ProbeIdentity, RecordHandler, RecordRejection } from '../nodes/nodes.js';
import { keptMs, rawExpiresAt } from '../retention/retention.js';
import { voteValidMs } from '../verdicts/votes.js';
import { type DecodedResult, decodeResult } from './decode.js';
import type { LiveStore, LiveUpdate } from './live-store.js';
import type { ResultsStore } from './store.js';

interface RecordResultsDependencies {
  codec: CheckResultCodec;
  directory: Pick<MonitorDirectory, 'lookup' | 'refresh'>;
  results: Pick<ResultsStore, 'insert'>;
  live: LiveStore;
  /** Votes on these monitors now. What it cannot do, the sweep does a second later. */
  evaluate(monitorIds: string[]): Promise<void>;
  logger: Logger;
}

interface Judged {
  result: DecodedResult;
  monitor: MonitorLookup;
}

/**
 * Takes the batches of probes: stores each result once, moves the live state, and asks for a vote where something
 * is wrong. A batch may come again, whole or in parts, here or on another control plane: the outcome is the same.
 */
export function createRecordResults(dependencies: RecordResultsDependencies): RecordHandler {
  const { codec, directory, results, live, evaluate, logger } = dependencies;

  async function accept(node: ProbeIdentity, records: NodeRecord[], receivedAtMs: number): Promise<RecordRejection[]> {
    const rejections: RecordRejection[] = [];
    const decoded: { seq: number; result: DecodedResult }[] = [];
    for (const record of records) {
      const outcome = decodeResult(codec, record.bytes, receivedAtMs);
      if ('refused' in outcome) rejections.push({ seq: record.seq, reason: outcome.refused });
      else decoded.push({ seq: record.seq, result: outcome.result });
    }
    await refreshStrangers(node, decoded);
    const judged: Judged[] = [];
    for (const { seq, result } of decoded) {
      const verdict = judge(node, result, receivedAtMs);
      if (typeof verdict === 'string') rejections.push({ seq, reason: verdict });
      else judged.push({ result, monitor: verdict });
    }
    await results.insert(judged.map((one) => resultDocument(node, one, receivedAtMs)));
    await live.apply(liveUpdates(node, judged, receivedAtMs));
    await vote(judged, receivedAtMs);
    return rejections;
  }

  /** The directory is a cache: what it does not know may be newer than it. A refusal is for good, so ask first. */
  async function refreshStrangers(node: ProbeIdentity, decoded: readonly { result: DecodedResult }[]): Promise<void> {
    const strangers = new Set<string>();
    for (const { result } of decoded) {
      if (directory.lookup(result.monitorId)?.locations.includes(node.location) !== true) {
        strangers.add(result.monitorId);
      }
    }
    if (strangers.size > 0) await directory.refresh([...strangers]);
  }

  function judge(node: ProbeIdentity, result: DecodedResult, receivedAtMs: number): MonitorLookup | string {
    const monitor = directory.lookup(result.monitorId);
    if (monitor === null) return 'unknown monitor';
    if (!monitor.locations.includes(node.location)) return `not assigned to ${node.location}`;
    if (result.slotMs < receivedAtMs - keptMs(monitor.plan).rawMs) return 'older than results are kept';
    return monitor;
  }

  async function vote(judged: readonly Judged[], receivedAtMs: number): Promise<void> {
    const unclean = new Set<string>();
    for (const { result, monitor } of judged) {
      if (!result.up && !monitor.paused && !isLate(result, monitor, receivedAtMs)) unclean.add(monitor.id);
    }
    if (unclean.size === 0) return;
    try {
      await evaluate([...unclean]);
    } catch (error) {
      // The results are stored, so the probe may forget them: the sweep evaluates these monitors again.
      logger.error({ err: error, monitors: unclean.size }, 'evaluation after a batch failed');
    }
  }

  return { accept };
}

/** Too old to be a vote: it is history and opens nothing. */
function isLate(result: DecodedResult, monitor: MonitorLookup, receivedAtMs: number): boolean {
  return receivedAtMs - result.checkedAtMs > voteValidMs(monitor.interval_seconds);
}

function resultDocument(node: ProbeIdentity, { result, monitor }: Judged, receivedAtMs: number): ResultDocument {
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

function liveUpdates(node: ProbeIdentity, judged: readonly Judged[], receivedAtMs: number): LiveUpdate[] {
  const updates: LiveUpdate[] = [];
  for (const { result, monitor } of judged) {
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
