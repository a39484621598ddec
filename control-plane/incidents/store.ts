import type { Collection, Db, Filter } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import { changedIncident, EVENTS_MAX, type IncidentChange } from './change.js';
import { type IncidentChannelStore, incidentChannelStore } from './channels/store.js';
import type { IncidentDocument, IncidentEvent, IncidentStatus } from './documents.js';
import { type IncidentHistoryStore, incidentHistoryStore } from './history-store.js';
import type { IncidentHead } from './incidents.js';
import { HELD_INDEXES, type HeldIncidentStore, heldIncidentStore } from './silence/held-store.js';
import { type MaintainedIncidentStore, maintainedIncidentStore } from './silence/maintained-store.js';
import { sessionOf, type UnresolvedIncidentStore, unresolvedIncidentStore, workspacesOf } from './unresolved-store.js';

/** The incident to change. The filter of the write resolves conflicts, so no read is needed before it. */
export interface IncidentTarget {
  workspaceId: string;
  id: string;
  /** Changes the incident only if it has this status. */
  status?: IncidentStatus;
  /** Changes the incident only if its silence ended at this time or before. */
  silenceEndedMs?: number;
}

export interface IncidentStore
  extends IncidentChangeStore,
    UnresolvedIncidentStore,
    IncidentHistoryStore,
    IncidentChannelStore,
    MaintainedIncidentStore,
    HeldIncidentStore {
  ensureIndexes(): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<IncidentDocument | null>;
  /** Returns the incidents that exist, in no particular order. */
  findMany(targets: readonly { workspaceId: string; id: string }[], tx?: Transaction): Promise<IncidentDocument[]>;
  /** Returns the incidents that exist, without their histories and in no particular order. */
  heads(workspaceId: string, ids: readonly string[]): Promise<IncidentHead[]>;
  /** Returns the newest incident of the subject, resolved or not. */
  latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
}

interface IncidentChangeStore {
  /** Throws E11000 if the subject of an incident already has an unresolved one. */
  insert(tx: Transaction, incidents: readonly IncidentDocument[]): Promise<void>;
  /** Changes an unresolved incident. Returns null if it has been resolved or does not match the target. */
  change(
    tx: Transaction,
    target: IncidentTarget,
    change: IncidentChange,
    event: IncidentEvent,
  ): Promise<IncidentDocument | null>;
  /**
   * Counts a comment on an incident, resolved or not. Returns null if there is no such incident, or if it has `max`
   * comments.
   */
  countComment(
    tx: Transaction,
    target: Pick<IncidentTarget, 'workspaceId' | 'id'>,
    event: IncidentEvent,
    max: number,
  ): Promise<IncidentDocument | null>;
  /**
   * Changes incidents that were read as unresolved in this transaction. Returns them as stored. Throws, and so aborts
   * the transaction, if one of them has been resolved.
   */
  changeAll(
    tx: Transaction,
    changes: readonly { incident: IncidentDocument; change: IncidentChange; event: IncidentEvent }[],
  ): Promise<IncidentDocument[]>;
}

/** `ruleKinds` are the kinds of incidents that alert rules open. */
export function createIncidentStore(db: Db, ruleKinds: readonly string[]): IncidentStore {
  const incidents = db.collection<IncidentDocument>('incidents');
  return {
    async ensureIndexes() {
      await incidents.createIndexes([
        { key: { workspace_id: 1, subject: 1 }, unique: true, partialFilterExpression: { open: true } },
        { key: { workspace_id: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, status: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, monitor_id: 1, started_at_ms: -1, _id: -1 } },
        { key: { workspace_id: 1, subject: 1, _id: -1 }, name: 'latest_of_subject' },
        { key: { kind: 1, 'decision.times.opened_at_ms': -1 } },
        {
          key: { silenced_until_ms: 1 },
          name: 'timed_silences',
          partialFilterExpression: { open: true, silenced_until_ms: { $gt: 0 } },
        },
        {
          key: { workspace_id: 1, channels: 1, _id: 1 },
          name: 'unresolved_naming_channel',
          partialFilterExpression: { open: true },
        },
        {
          key: { 'maintenance.id': 1 },
          name: 'silenced_by_maintenance',
          partialFilterExpression: { open: true, 'maintenance.id': { $gt: '' } },
        },
        ...HELD_INDEXES,
        { key: { kind: 1, workspace_id: 1 }, name: 'unresolved_of_kind', partialFilterExpression: { open: true } },
      ]);
    },
    find: (workspaceId, id, tx) => incidents.findOne({ _id: id, workspace_id: workspaceId }, sessionOf(tx)),
    async findMany(targets, tx) {
      if (targets.length === 0) return [];
      const wanted = new Set(targets.map(({ workspaceId, id }) => `${workspaceId} ${id}`));
      const filter = { _id: { $in: targets.map(({ id }) => id) }, workspace_id: { $in: workspacesOf(targets) } };
      const found = await incidents.find(filter, sessionOf(tx)).toArray();
      return found.filter((incident) => wanted.has(`${incident.workspace_id} ${incident._id}`));
    },
    heads: (workspaceId, ids) =>
      incidents
        .find({ _id: { $in: [...ids] }, workspace_id: workspaceId })
        .project<IncidentHead>({ workspace_id: 1, status: 1, acknowledged_at_ms: 1, monitor_id: 1 })
        .toArray(),
    latest: (workspaceId, subject) => incidents.findOne({ workspace_id: workspaceId, subject }, { sort: { _id: -1 } }),
    ...incidentChangeStore(incidents),
    ...unresolvedIncidentStore(incidents, ruleKinds),
    ...incidentHistoryStore(incidents),
    ...incidentChannelStore(incidents),
    ...maintainedIncidentStore(incidents),
    ...heldIncidentStore(incidents),
  };
}

function incidentChangeStore(incidents: Collection<IncidentDocument>): IncidentChangeStore {
  return {
    async insert(tx, documents) {
      if (documents.length > 0) await incidents.insertMany([...documents], { session: tx.session });
    },
    change(tx, target, change, event) {
      const filter: Filter<IncidentDocument> = { _id: target.id, workspace_id: target.workspaceId, open: true };
      if (target.status !== undefined) filter.status = target.status;
      if (target.silenceEndedMs !== undefined) filter.silenced_until_ms = { $gt: 0, $lte: target.silenceEndedMs };
      return incidents.findOneAndUpdate(filter, updateOf(change, event), {
        session: tx.session,
        returnDocument: 'after',
      });
    },
    countComment(tx, { workspaceId, id }, event, max) {
      return incidents.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, comments: { $not: { $gte: max } } },
        { ...updateOf({}, event), $inc: { comments: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async changeAll(tx, changes) {
      if (changes.length === 0) return [];
      const updates = changes.map(({ incident: { _id, workspace_id }, change, event }) => ({
        updateOne: { filter: { _id, workspace_id, open: true as const }, update: updateOf(change, event) },
      }));
      const { matchedCount } = await incidents.bulkWrite(updates, { session: tx.session, ordered: false });
      if (matchedCount !== updates.length) throw new Error('an incident was resolved while it was being changed');
      return changes.map(({ incident, change, event }) => changedIncident(incident, change, event));
    },
  };
}

function updateOf(change: IncidentChange, event: IncidentEvent) {
  return {
    $set: { ...change, updated_at_ms: event.at_ms },
    $push: { events: { $each: [event], $slice: -EVENTS_MAX } },
    ...(change.status === 'resolved' ? { $unset: { open: true as const } } : {}),
  };
}
