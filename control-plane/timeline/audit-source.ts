import type { AuditDocument } from '../audit/documents.js';
import type { PageRequest, TimePosition } from '../storage/page.js';
import type { TimelineRow, TimelineSource } from './timeline.js';

/** The part of the audit store that the timeline reads. */
export interface AuditEntries {
  list(
    workspaceId: string,
    filter: { fromMs: number; toMs: number | null; action: null; actor: null },
    page: PageRequest<TimePosition>,
  ): Promise<AuditDocument[]>;
}

/** Size and maximum number of reads that search for the entries of one object among those of all objects. */
const SEARCH_ROWS = 500;
const SEARCH_PAGES_MAX = 40;

/** Puts audit entries on the timeline. */
export function createAuditTimeline(entries: AuditEntries): TimelineSource {
  return {
    async page({ workspaceId, fromMs, toMs, resourceId, after, limit }) {
      const filter = { fromMs: fromMs ?? 0, toMs, action: null, actor: null };
      const rowsMax = resourceId === null ? limit : SEARCH_ROWS;
      const rows: TimelineRow[] = [];
      let position = after;
      for (let page = 0; page < SEARCH_PAGES_MAX && rows.length < limit; page++) {
        const found = await entries.list(workspaceId, filter, { rowsMax, after: position });
        rows.push(...found.filter((entry) => resourceId === null || entry.resource.id === resourceId).map(toRow));
        const last = found.at(-1);
        if (last === undefined || found.length < rowsMax) break;
        position = { atMs: last.at_ms, id: last._id };
      }
      return rows.slice(0, limit);
    },
  };
}

function toRow(entry: AuditDocument): TimelineRow {
  return {
    id: entry._id,
    atMs: entry.at_ms,
    type: `audit.${entry.action}`,
    resource: entry.resource,
    message: `${entry.actor.email}: ${entry.action}`,
    actor: entry.actor.email,
    metadata: entry.metadata,
  };
}
