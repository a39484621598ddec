import { toIso } from '../../../kernel/clock.js';
import type { PresenceDocument, ProbeDocument } from '../documents.js';
import type { Probe } from '../schema.js';

/** A probe as operators see it: the node, and what it last said of itself through whichever control plane. */
export function viewProbe(node: ProbeDocument, row: PresenceDocument | null, live: boolean): Probe {
  const report = row?.report ?? null;
  const connected = live && node.revoked_at_ms === null;
  const lateness =
    report === null || report.slots_run === 0
      ? null
      : { p50_ms: report.lateness_p50_ms, p99_ms: report.lateness_p99_ms };
  return {
    id: node._id,
    location: node.location,
    version: node.version,
    hostname: node.hostname,
    state: stateOf(node, connected),
    connected,
    lag_ms: report?.lag_ms ?? null,
    spool_records: report?.spool_records ?? null,
    spool_bytes: report?.spool_bytes ?? null,
    dropped_total: report?.dropped_total ?? null,
    assignments: report?.assignments ?? null,
    schedule_lateness: lateness,
    canary_ok: report === null || report.canaries === 0 ? null : report.canary_ok,
    enrolled_at: toIso(node.enrolled_at_ms),
    last_seen_at: row === null ? null : toIso(row.seen_at.getTime()),
  };
}

function stateOf(node: ProbeDocument, connected: boolean): Probe['state'] {
  if (node.revoked_at_ms !== null) return 'revoked';
  if (node.drained_at_ms !== null) return 'drained';
  return connected ? 'connected' : 'disconnected';
}
