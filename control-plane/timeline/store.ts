import type { Db, Filter } from 'mongodb';
import { createEntriesById, type EntriesById } from '../storage/entries-by-id.js';
import type { Ids } from '../storage/ids.js';
import type { Timeline, TimelineRow, TimelineSource } from './timeline.js';

interface TimelineDocument {
  /** Sorts by creation. */
  _id: string;
  workspace_id: string;
  at_ms: number;
  type: string;
  resource: { type: string; id: string; name: string };
  message: string;
  actor: string;
  metadata: Record<string, unknown>;
  expires_at: Date;
}

/** Entries expire after the longest retention period of results. */
const TIMELINE_KEPT_MS = 730 * 86_400_000;

export interface TimelineStore extends Timeline, TimelineSource {
  ensureIndexes(): Promise<void>;
  /** The entries of all workspaces. */
  entriesById: EntriesById<TimelineRow & { workspaceId: string }>;
}

/** Stores the timeline entries that slices record. `timeline.ts` merges in the entries of the audit log. */
export function createTimelineStore(db: Db, ids: Ids): TimelineStore {
  const entries = db.collection<TimelineDocument>('timeline');
  return {
    entriesById: createEntriesById(entries, (entry) => ({ ...toRow(entry), workspaceId: entry.workspace_id })),
    async ensureIndexes() {
      await entries.createIndexes([
        { key: { workspace_id: 1, at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, 'resource.id': 1, at_ms: -1, _id: -1 } },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async record(tx, fresh) {
      if (fresh.length === 0) return;
      const documents = fresh.map((entry) => ({
        _id: ids.next('tle'),
        workspace_id: entry.workspaceId,
        at_ms: entry.atMs,
        type: entry.type,
        resource: entry.resource,
        message: entry.message,
        actor: entry.actor,
        metadata: entry.metadata ?? {},
        expires_at: new Date(entry.atMs + TIMELINE_KEPT_MS),
      }));
      await entries.insertMany(documents, { session: tx.session });
    },
    async page({ workspaceId, fromMs, toMs, resourceId, after, limit }) {
      const conditions: Filter<TimelineDocument>[] = [{ workspace_id: workspaceId }];
      if (resourceId !== null) conditions.push({ 'resource.id': resourceId });
      if (fromMs !== null) conditions.push({ at_ms: { $gte: fromMs } });
      if (toMs !== null) conditions.push({ at_ms: { $lte: toMs } });
      if (after !== null) {
        conditions.push({ at_ms: { $lte: after.atMs } });
        conditions.push({ $or: [{ at_ms: { $lt: after.atMs } }, { at_ms: after.atMs, _id: { $lt: after.id } }] });
      }
      const rows = await entries.find({ $and: conditions }).sort({ at_ms: -1, _id: -1 }).limit(limit).toArray();
      return rows.map(toRow);
    },
  };
}

function toRow(document: TimelineDocument): TimelineRow {
  return {
    id: document._id,
    atMs: document.at_ms,
    type: document.type,
    resource: document.resource,
    message: document.message,
    actor: document.actor,
    metadata: document.metadata,
  };
}
