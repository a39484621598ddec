import type { IncidentDocument } from '../../../control-plane/incidents/documents.js';
import type { Mongo } from '../../../control-plane/storage/mongo.js';

/** Collections that jobs write while the test runs: leases, counters, roll-ups, the presence of nodes. */
const VOLATILE_COLLECTIONS = new Set([
  ...['leases', 'rate_limits', 'audit_log', 'audit_heads', 'setup', 'settings', 'idempotency'],
  ...['blacklist_checks', 'blacklist_shared_checks', 'backup_listening'],
  ...[
    'rollup_state',
    'rollup_heads',
    'node_presence',
    'agent_presence',
    'control_planes',
    'control_plane_reports',
    'node_lateness',
    'probe_commands',
    'live_log',
    'live_log_start',
  ],
]);
/** Fields that jobs write: the progress of a forwarder without a receiver, and the results of checks. */
const VOLATILE_FIELDS = new Set([
  ...['last_used_at_ms', 'state', 'uptime', 'cursor', 'failures', 'failing_since_ms', 'next_attempt_ms'],
  ...['last_error', 'last_error_at_ms', 'last_success_at_ms'],
  ...['last', 'last_delivery', 'results', 'not_asked', 'checks', 'next_at_ms'],
]);

/**
 * Returns all stored data, except what jobs change. On a slow machine, Picket also alerts that the locations of the
 * monitors have no probes.
 */
export async function storedData(mongo: Mongo): Promise<Record<string, unknown>> {
  const all: Record<string, unknown> = {};
  const alerts = await mongo.db.collection<IncidentDocument>('incidents').find({ kind: 'location' }).toArray();
  const ofAlert = (document: object) => alerts.some(({ _id }) => JSON.stringify(document).includes(_id));
  for (const { name } of await mongo.db.listCollections({}, { nameOnly: true }).toArray()) {
    if (VOLATILE_COLLECTIONS.has(name)) continue;
    const documents = await mongo.db.collection(name).find().sort({ _id: 1 }).toArray();
    const changed = documents.filter((document) => !ofAlert(document));
    all[name] = JSON.parse(JSON.stringify(changed, (key, value) => (VOLATILE_FIELDS.has(key) ? null : value)));
  }
  return all;
}
