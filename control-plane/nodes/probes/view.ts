import { toIso } from '../../../kernel/clock.js';
import type { PresenceDocument, ProbeDocument } from '../documents.js';
import type { Probe } from '../schema.js';

/** Returns a probe for operators: the node, and its last status from any control plane. */
export function viewProbe(node: ProbeDocument, row: PresenceDocument | null, live: boolean): Probe {
  const status = row?.report ?? null;
  const connected = live && node.revoked_at_ms === null;
  const lateness =
    status === null || status.slots_run === 0
      ? null
      : { p50_ms: status.lateness_p50_ms, p99_ms: status.lateness_p99_ms };
  return {
    id: node._id,
    location: node.location,
    version: node.version,
    hostname: node.hostname,
    state: stateOf(node, connected),
    connected,
    lag_ms: status?.lag_ms ?? null,
    spool_records: status?.spool_records ?? null,
    spool_bytes: status?.spool_bytes ?? null,
    dropped_total: status?.dropped_total ?? null,
    assignments: status?.assignments ?? null,
    schedule_lateness: lateness,
    canary_ok: status === null || status.canaries === 0 ? null : status.canary_ok,
    enrolled_at: toIso(node.enrolled_at_ms),
    last_seen_at: row === null ? null : toIso(row.seen_at.getTime()),
  };
}

function stateOf(node: ProbeDocument, connected: boolean): Probe['state'] {
  if (node.revoked_at_ms !== null) return 'revoked';
  if (node.drained_at_ms !== null) return 'drained';
  return connected ? 'connected' : 'disconnected';
}
