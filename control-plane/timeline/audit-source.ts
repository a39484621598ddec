import type { AuditDocument } from '../audit/documents.js';
import type { PageRequest, TimePosition } from '../storage/page.js';
import { actionTitle } from '../wording.js';
import type { TimelineRow, TimelineSource } from './timeline.js';

/** The part of the audit store that the timeline reads. */
export interface AuditEntries {
  list(
    workspaceId: string,
    filter: { fromMs: number; toMs: number | null; action: null; actor: null },
    page: PageRequest<TimePosition>,
  ): Promise<AuditDocument[]>;
  /** Returns the entries about one object. */
  listOfResource(
    workspaceId: string,
    resourceId: string,
    range: { fromMs: number; toMs: number | null },
    page: PageRequest<TimePosition>,
  ): Promise<AuditDocument[]>;
}

/** Puts audit entries on the timeline. */
export function createAuditTimeline(entries: AuditEntries): TimelineSource {
  return {
    async page({ workspaceId, fromMs, toMs, resourceId, after, limit }) {
      const range = { fromMs: fromMs ?? 0, toMs };
      const request = { rowsMax: limit, after };
      const found = await (resourceId === null
        ? entries.list(workspaceId, { ...range, action: null, actor: null }, request)
        : entries.listOfResource(workspaceId, resourceId, range, request));
      return found.map(toRow);
    },
  };
}

function toRow(entry: AuditDocument): TimelineRow {
  return {
    id: entry._id,
    atMs: entry.at_ms,
    type: `audit.${entry.action}`,
    resource: entry.resource,
    message: messageOf(entry),
    actor: entry.actor.email,
    // All entries of a bulk change have the request that began it.
    metadata: { ...entry.metadata, request_id: entry.request_id },
  };
}

const CHANGES_MAX = 10;

/** `Monitor updated by ann@example.com: interval_seconds, http.keyword.` */
function messageOf({ action, actor, metadata }: AuditDocument): string {
  const names = Object.keys(Object(metadata['changes']));
  const others = names.length > CHANGES_MAX ? ` and ${names.length - CHANGES_MAX} more` : '';
  const fields = names.length === 0 ? '' : `: ${names.slice(0, CHANGES_MAX).join(', ')}${others}`;
  return `${actionTitle(action)} by ${actor.email === 'system' ? 'Picket' : actor.email}${fields}.`;
}
