import type { AuditDocument } from '../audit/documents.js';
import type { EntriesById } from '../storage/entries-by-id.js';
import type { TimelineRow } from '../timeline/timeline.js';
import type { LoggedEntry } from './documents.js';
import { type Meaning, meaningOfEntry, meaningOfLine } from './event.js';

/** Where the events come from. Each change writes an entry there, in its own transaction. */
export interface EventSource extends Pick<EntriesById<unknown>, 'idsFrom'> {
  /** The part of its ids before the `_`. */
  prefix: string;
  entries(ids: readonly string[]): Promise<LoggedEntry[]>;
}

/** Returns the timeline and the audit log as sources of events. */
export function eventSources(needs: {
  timeline: EntriesById<TimelineRow & { workspaceId: string }>;
  audit: EntriesById<AuditDocument>;
}): EventSource[] {
  const { timeline, audit } = needs;
  return [
    {
      prefix: 'tle',
      idsFrom: timeline.idsFrom,
      async entries(ids) {
        const rows = await timeline.entries(ids);
        return rows.map((row) => entryOf(row.id, row.workspaceId, meaningOfLine(row)));
      },
    },
    {
      prefix: 'evt',
      idsFrom: audit.idsFrom,
      async entries(ids) {
        const rows = await audit.entries(ids);
        return rows.map((row) => entryOf(row._id, row.workspace_id, meaningOfEntry(row)));
      },
    },
  ];
}

function entryOf(key: string, workspace_id: string, { event, endsAccess }: Meaning): LoggedEntry {
  return { key, workspace_id, event, ends_access: endsAccess };
}
