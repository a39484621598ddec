import { actionTitle } from '../../../wording.js';
import type { AuditSeverity } from '../../audit.js';
import type { AuditEntry } from '../../schema.js';
import { SIGNAL_EVENTS, SIGNAL_NAMES } from '../delivery/message.js';
import type { Format } from './interface.js';
import { jsonLine } from './json.js';

/** https://schema.ocsf.io/1.3.0 */
const SCHEMA_VERSION = '1.3.0';
const SEVERITY: Record<AuditSeverity, { id: number; name: string }> = {
  info: { id: 1, name: 'Informational' },
  warning: { id: 3, name: 'Medium' },
  critical: { id: 5, name: 'Critical' },
};
const OTHER = 99;
const SUCCESS = 1;
const FAILURE = 2;

interface EventClass {
  uid: number;
  name: string;
  category: { uid: number; name: string };
}
const IAM = { uid: 3, name: 'Identity & Access Management' };
const AUTHENTICATION: EventClass = { uid: 3002, name: 'Authentication', category: IAM };
const ACCOUNT_CHANGE: EventClass = { uid: 3001, name: 'Account Change', category: IAM };
const API_ACTIVITY: EventClass = {
  uid: 6003,
  name: 'API Activity',
  category: { uid: 6, name: 'Application Activity' },
};
const BASE_EVENT: EventClass = { uid: 0, name: 'Base Event', category: { uid: 0, name: 'Uncategorized' } };

/** Activities of the classes Authentication and Account Change, by action. */
const ACTIVITIES: Record<string, [kind: EventClass, id: number]> = {
  'auth.login': [AUTHENTICATION, 1],
  'auth.login_failed': [AUTHENTICATION, 1],
  'auth.logout': [AUTHENTICATION, 2],
  'auth.password_reset': [ACCOUNT_CHANGE, 4],
  'auth.mfa_enabled': [ACCOUNT_CHANGE, 10],
  'auth.mfa_disabled': [ACCOUNT_CHANGE, 11],
  'auth.recovery_codes_renewed': [ACCOUNT_CHANGE, OTHER],
  'auth.passkey_renamed': [ACCOUNT_CHANGE, OTHER],
  'team.member_invited': [ACCOUNT_CHANGE, 1],
  'team.member_removed': [ACCOUNT_CHANGE, 6],
};
/** Activities of the class API Activity (create, read, update, delete), by the last word of the action. */
const API_VERBS: [id: number, words: RegExp][] = [
  [1, /(^|_)(created|connected|enrolled|triggered)$/],
  [2, /(^|_)(?:downloaded|previewed)$/],
  [3, /(^|_)(updated|changed|rotated|paused|resumed|acknowledged|resolved|silenced|completed|drained)$/],
  [4, /(^|_)(deleted|removed|revoked|disconnected)$/],
];

/** Actions that say what did not happen. */
const FAILED = /_(failed|refused)$/;

/** Open Cybersecurity Schema Framework. Actions without a class of their own are API Activity. */
export const ocsfFormat: Format = {
  entry(entry, { version, sequence }) {
    const [kind, activityId] = classify(entry.action);
    return jsonLine({
      ...head(kind, activityId, entry.action.slice(entry.action.indexOf('.') + 1)),
      time: Date.parse(entry.timestamp),
      severity_id: SEVERITY[entry.severity].id,
      severity: SEVERITY[entry.severity].name,
      status_id: FAILED.test(entry.action) ? FAILURE : SUCCESS,
      message: `${actionTitle(entry.action)}: ${entry.resource.name}`,
      metadata: {
        ...about(version),
        uid: entry.id,
        sequence,
        tenant_uid: entry.workspace_id,
        correlation_uid: entry.request_id,
        event_code: entry.action,
      },
      ...classFields(kind, entry),
      unmapped: {
        // API Activity has its own field for the resource.
        ...(kind === API_ACTIVITY ? {} : { resource: entry.resource }),
        metadata: entry.metadata,
        hash: entry.hash,
        previous_hash: entry.previous_hash,
      },
    });
  },
  signal(signal, version) {
    return jsonLine({
      ...head(BASE_EVENT, OTHER, signal.kind),
      time: signal.atMs,
      severity_id: SEVERITY.info.id,
      severity: SEVERITY.info.name,
      message: SIGNAL_NAMES[signal.kind],
      metadata: {
        ...about(version),
        sequence: signal.sequence,
        tenant_uid: signal.workspaceId,
        event_code: SIGNAL_EVENTS[signal.kind],
      },
      unmapped: { forwarder_id: signal.forwarderId },
    });
  },
};

function classify(action: string): [EventClass, number] {
  const known = ACTIVITIES[action];
  if (known !== undefined) return known;
  if (action.startsWith('auth.')) return [AUTHENTICATION, OTHER];
  if (action.startsWith('team.')) return [ACCOUNT_CHANGE, OTHER];
  const verb = action.slice(action.indexOf('.') + 1);
  return [API_ACTIVITY, API_VERBS.find(([, words]) => words.test(verb))?.[0] ?? OTHER];
}

function head(kind: EventClass, activityId: number, activity: string) {
  return {
    activity_id: activityId,
    activity_name: actionTitle(activity),
    category_uid: kind.category.uid,
    category_name: kind.category.name,
    class_uid: kind.uid,
    class_name: kind.name,
    type_uid: kind.uid * 100 + activityId,
  };
}

function about(version: string) {
  return { version: SCHEMA_VERSION, product: { name: 'Picket', vendor_name: 'Picket', version }, log_name: 'audit' };
}

/** Returns the additional fields of a class. */
function classFields(kind: EventClass, entry: AuditEntry) {
  const { actor, resource } = entry;
  const person = {
    uid: actor.id ?? 'system',
    name: actor.email,
    ...(actor.id === null ? {} : { email_addr: actor.email }),
    ...(actor.api_key === undefined ? {} : { credential_uid: actor.api_key.id }),
  };
  // The schema requires `src_endpoint`; actions by Picket have no IP address.
  const source = actor.ip === null ? { name: 'Picket' } : { ip: actor.ip };
  if (kind === AUTHENTICATION) {
    return { user: person, service: { name: 'Picket' }, src_endpoint: source, actor: { user: person } };
  }
  if (kind === ACCOUNT_CHANGE) {
    return { user: { uid: resource.id, name: resource.name }, actor: { user: person }, src_endpoint: source };
  }
  return {
    actor: { user: person },
    api: { operation: entry.action, request: { uid: entry.request_id }, service: { name: 'Picket' } },
    src_endpoint: source,
    resources: [{ uid: resource.id, type: resource.type, name: resource.name }],
  };
}
