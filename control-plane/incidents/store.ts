import type { Db, Filter, WithId } from 'mongodb';
import { type CursorPosition, newestFirstBy } from '../storage/cursor.js';
import type { Transaction } from '../storage/transaction.js';
import type {
  IncidentDocument,
  IncidentEvent,
  IncidentKind,
  IncidentSeverity,
  IncidentStatus,
  NotificationSent,
} from './documents.js';

export interface IncidentFilter {
  status?: IncidentStatus;
  severity?: IncidentSeverity;
  monitorId?: string;
  /** `started_at` from here on, and up to and including `toMs`. */
  fromMs?: number;
  toMs?: number;
}

/** Members that a change writes; the event goes to the end of the incident's history. */
export type IncidentChange = Partial<
  Pick<
    IncidentDocument,
    | 'status'
    | 'severity'
    | 'message'
    | 'resolution'
    | 'resolved_at_ms'
    | 'acknowledged_at_ms'
    | 'acknowledged_by'
    | 'silenced_at_ms'
    | 'decision'
    | 'recovery'
  >
>;

/** Which incident a change is for; the filter of the write decides a race, not a read before it. */
export interface IncidentTarget {
  workspaceId: string;
  id: string;
  /** Only while it has this status. */
  status?: IncidentStatus;
  /** Only while it is not acknowledged. */
  unacknowledged?: boolean;
}

export interface IncidentStore {
  ensureIndexes(): Promise<void>;
  /** Raises E11000 when the subject has an unresolved one already. */
  insert(tx: Transaction, incident: IncidentDocument): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<IncidentDocument | null>;
  unresolved(workspaceId: string, subject: string, tx?: Transaction): Promise<IncidentDocument | null>;
  unresolvedSubjects(workspaceId: string, kind: IncidentKind): Promise<string[]>;
  latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
  /** Changes an unresolved incident; null when it is resolved by now, or does not fit the target. */
  change(
    tx: Transaction,
    target: IncidentTarget,
    change: IncidentChange,
    event: IncidentEvent,
  ): Promise<IncidentDocument | null>;
  /** Newest `started_at` first. */
  list(
    workspaceId: string,
    filter: IncidentFilter,
    after: CursorPosition | null,
    limit: number,
  ): Promise<IncidentDocument[]>;
  /** Of the monitor, of the kind `monitor`, that lasted into [fromMs, toMs]; oldest first. */
  during(
    workspaceId: string,
    monitorId: string,
    fromMs: number,
    toMs: number,
    limit: number,
  ): Promise<IncidentDocument[]>;
  recordNotification(tx: Transaction, workspaceId: string, id: string, entry: NotificationSent): Promise<void>;
  /** Over all workspaces, for the detection delay: outages opened since, newest first. */
  openedSince(sinceMs: number, limit: number): Promise<Pick<IncidentDocument, 'decision'>[]>;
}

/** More than an incident of many weeks has; beyond it the oldest lines go. */
const EVENTS_MAX = 500;
const NOTIFICATIONS_MAX = 2_000;

export function createIncidentStore(db: Db): IncidentStore {
  const incidents = db.collection<IncidentDocument>('incidents');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await incidents.createIndexes([
        { key: { workspace_id: 1, subject: 1 }, unique: true, partialFilterExpression: { open: true } },
        { key: { workspace_id: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, monitor_id: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, subject: 1, _id: -1 }, name: 'latest_of_subject' },
        { key: { kind: 1, 'decision.times.opened_at_ms': -1 } },
      ]);
    },
    async insert(tx, incident) {
      await incidents.insertOne(incident, { session: tx.session });
    },
    find: (workspaceId, id, tx) => incidents.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    unresolved: (workspaceId, subject, tx) =>
      incidents.findOne({ workspace_id: workspaceId, subject, open: true }, within(tx)),
    async unresolvedSubjects(workspaceId, kind) {
      const rows = await incidents
        .find({ workspace_id: workspaceId, open: true, kind }, { projection: { subject: 1 } })
        .toArray();
      return rows.map((row) => row.subject);
    },
    latest: (workspaceId, subject) => incidents.findOne({ workspace_id: workspaceId, subject }, { sort: { _id: -1 } }),
    change(tx, target, change, event) {
      const filter: Filter<IncidentDocument> = { _id: target.id, workspace_id: target.workspaceId, open: true };
      if (target.status !== undefined) filter.status = target.status;
      if (target.unacknowledged === true) filter.acknowledged_at_ms = null;
      return incidents.findOneAndUpdate(
        filter,
        {
          $set: { ...change, updated_at_ms: event.at_ms },
          $push: { events: { $each: [event], $slice: -EVENTS_MAX } },
          ...(change.status === 'resolved' ? { $unset: { open: true as const } } : {}),
        },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    list(workspaceId, filter, after, limit) {
      const { filter: rest, sort } = newestFirstBy('started_at_ms', after);
      return incidents
        .find({ $and: [mongoFilter(workspaceId, filter), rest] })
        .sort(sort)
        .limit(limit)
        .batchSize(limit)
        .toArray();
    },
    during(workspaceId, monitorId, fromMs, toMs, limit) {
      return incidents
        .find({
          workspace_id: workspaceId,
          monitor_id: monitorId,
          kind: 'monitor',
          started_at_ms: { $lte: toMs },
          $or: [{ resolved_at_ms: null }, { resolved_at_ms: { $gte: fromMs } }],
        })
        .sort({ started_at_ms: 1 })
        .limit(limit)
        .toArray();
    },
    async recordNotification(tx, workspaceId, id, entry) {
      await incidents.updateOne({ _id: id, workspace_id: workspaceId }, [notificationStage(entry)], {
        session: tx.session,
      });
    },
    openedSince(sinceMs, limit) {
      return incidents
        .find({ kind: 'monitor', 'decision.times.opened_at_ms': { $gte: sinceMs } }, { projection: { decision: 1 } })
        .sort({ 'decision.times.opened_at_ms': -1 })
        .limit(limit)
        .toArray();
    },
  };
}

/**
 * Replaces the entry of the same channel and event where it stands, or appends it: one write, so that two channels
 * whose deliveries end at the same moment do not undo one another.
 */
function notificationStage(entry: NotificationSent): object {
  const literal = { $literal: entry };
  const isSame = {
    $and: [
      { $eq: ['$$this.channel_id', { $literal: entry.channel_id }] },
      { $eq: ['$$this.event', { $literal: entry.event }] },
    ],
  };
  const isThere = { $anyElementTrue: [{ $map: { input: '$notifications_sent', in: isSame } }] };
  const replaced = { $map: { input: '$notifications_sent', in: { $cond: [isSame, literal, '$$this'] } } };
  const appended = { $slice: [{ $concatArrays: ['$notifications_sent', [literal]] }, -NOTIFICATIONS_MAX] };
  return { $set: { notifications_sent: { $cond: [isThere, replaced, appended] } } };
}

function mongoFilter(workspaceId: string, filter: IncidentFilter): Filter<WithId<IncidentDocument>> {
  const mongo: Filter<WithId<IncidentDocument>> = { workspace_id: workspaceId };
  if (filter.status !== undefined) mongo.status = filter.status;
  if (filter.severity !== undefined) mongo.severity = filter.severity;
  if (filter.monitorId !== undefined) mongo.monitor_id = filter.monitorId;
  if (filter.fromMs !== undefined || filter.toMs !== undefined) {
    mongo.started_at_ms = {
      ...(filter.fromMs === undefined ? {} : { $gte: filter.fromMs }),
      ...(filter.toMs === undefined ? {} : { $lte: filter.toMs }),
    };
  }
  return mongo;
}
