import type { NodeStatus__Output } from '../../../proto/generated/picket/link/v1/NodeStatus.js';
import type { NodeStatus } from '../documents.js';

/** Returns the status message of a node as it is stored. Invalid numbers are limited to the valid range. */
export function readStatus(message: NodeStatus__Output): NodeStatus {
  return {
    spool_records: count(message.spoolRecords),
    spool_bytes: count(message.spoolBytes),
    dropped_total: count(message.spoolDroppedTotal),
    lag_ms: count(message.lagMs),
    canaries: count(message.canaries),
    canary_ok: message.canaryOk,
    assignments: count(message.assignments),
    lateness_p50_ms: count(message.latenessP50Ms),
    lateness_p99_ms: count(message.latenessP99Ms),
    slots_due: count(message.slotsDue),
    slots_run: count(message.slotsRun),
    stalls_total: count(message.stallsTotal),
  };
}

function count(value: number): number {
  return Math.min(Math.max(0, Math.trunc(value)), Number.MAX_SAFE_INTEGER);
}
