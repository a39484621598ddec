import { toIso } from '../../kernel/clock.js';
import type { Scope } from '../actor.js';
import type { AuditDocument } from '../audit/documents.js';
import type { TimelineRow } from '../timeline/timeline.js';

/** The types of events, as the field `event` of server-sent events has them. */
export const EVENT_TYPES = ['monitor', 'server', 'incident', 'change'] as const;
export type EventType = (typeof EVENT_TYPES)[number];

/** A change of a workspace as clients see it. Details are read with the API. */
export interface LiveEvent {
  type: EventType;
  /** What a client needs to see it. */
  scope: Scope;
  data: Record<string, unknown>;
}

/** What an entry of the timeline or the audit log means for open streams. */
export interface Meaning {
  /** null: clients do not see the entry. */
  event: LiveEvent | null;
  /** Whether a person or a key may have lost access by it. */
  endsAccess: boolean;
}

const READ_WITH: Readonly<Record<string, Scope>> = {
  monitor: 'monitors:read',
  server: 'servers:read',
  incident: 'alerts:read',
  alert_rule: 'alerts:read',
  channel: 'channels:read',
  blacklist_monitor: 'blacklist:read',
  backup_job: 'backups:read',
  email_domain: 'email_domains:read',
  domain: 'monitors:read',
  scan: 'scans:read',
  site: 'wordpress:read',
  maintenance: 'maintenance:read',
  status_page: 'status_pages:read',
};

/** The scopes by which a stream can show anything. */
export const EVENT_SCOPES: readonly Scope[] = [...new Set([...Object.values(READ_WITH), 'audit:read' as const])];

/** Returns the meaning of a line that a slice wrote on the timeline. Pure. */
export function meaningOfLine({ type, resource, metadata, atMs }: TimelineRow): Meaning {
  const [subject = '', what = ''] = type.split('.');
  if (subject === 'incident') return shown('incident', 'incident', incidentData(what, { resource, metadata, atMs }));
  if ((subject === 'monitor' || subject === 'server') && what === 'status_changed') {
    const { id, name } = resource;
    return shown(subject, subject, { id, name, status: metadata['to'], since: toIso(atMs) });
  }
  return shown('change', resource.type, changeData(type, resource, atMs));
}

/** Refused and failed attempts change nothing, and the timeline has incidents with more detail. */
const NO_CHANGE = /^alert\.|_(refused|failed)$/;
/** What people do with their own account is no event for others. */
const OF_PERSON = /^auth\./;
/** After these, people or keys may have less access than before. A log-in takes no access away. */
const ENDS_ACCESS = /^(auth\.(?!login)|api_key\.|team\.|workspace\.|billing\.|integration\.)/;

/** Returns the meaning of an audit entry. Pure. Its metadata and its actor are only for readers of the audit log. */
export function meaningOfEntry({ action, resource, at_ms }: AuditDocument): Meaning {
  if (NO_CHANGE.test(action)) return { event: null, endsAccess: false };
  const endsAccess = ENDS_ACCESS.test(action);
  if (OF_PERSON.test(action)) return { event: null, endsAccess };
  const [subject = ''] = action.split('.');
  return { ...shown('change', subject, changeData(action, resource, at_ms)), endsAccess };
}

function shown(type: EventType, subject: string, data: Record<string, unknown>): Meaning {
  const scope = Object.hasOwn(READ_WITH, subject) ? READ_WITH[subject] : undefined;
  return { event: { type, scope: scope ?? 'audit:read', data }, endsAccess: false };
}

function changeData(action: string, { type, id }: TimelineRow['resource'], atMs: number): Record<string, unknown> {
  return { action, resource: { type, id }, at: toIso(atMs) };
}

function incidentData(
  change: string,
  { resource, metadata, atMs }: Pick<TimelineRow, 'resource' | 'metadata' | 'atMs'>,
): Record<string, unknown> {
  const { incident_id: id, severity, kind } = metadata;
  return { id, change, kind, severity, resource: { type: resource.type, id: resource.id }, at: toIso(atMs) };
}
