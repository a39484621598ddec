import type { Collection, Db, Filter, WithId } from 'mongodb';
import type { IncidentHead } from '../notifications/notifications.js';
import { type CursorPosition, newestFirstBy } from '../storage/cursor.js';
import type { Transaction } from '../storage/transaction.js';
import { changedIncident, EVENTS_MAX, type IncidentChange } from './change.js';
import type {
  IncidentDocument,
  IncidentEvent,
  IncidentKind,
  IncidentSeverity,
  IncidentStatus,
  RuleIncidentHead,
} from './documents.js';

export interface IncidentFilter {
  status?: IncidentStatus;
  severity?: IncidentSeverity;
  monitorId?: string;
  /** `started_at` from here on, and up to and including `toMs`. */
  fromMs?: number;
  toMs?: number;
}

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
  /** Raises E11000 when the subject of one has an unresolved one already. */
  insert(tx: Transaction, incidents: readonly IncidentDocument[]): Promise<void>;
  find(workspaceId: string, id: string, tx?: Transaction): Promise<IncidentDocument | null>;
  unresolved(workspaceId: string, subject: string, tx?: Transaction): Promise<IncidentDocument | null>;
  /** In no order; those that there are. */
  findMany(targets: readonly { workspaceId: string; id: string }[], tx?: Transaction): Promise<IncidentDocument[]>;
  /** In no order; those that there are, without their histories. */
  heads(workspaceId: string, ids: readonly string[]): Promise<IncidentHead[]>;
  /** In no order; of the subjects that have one. */
  unresolvedOf(
    tx: Transaction,
    subjects: readonly { workspaceId: string; subject: string }[],
  ): Promise<IncidentDocument[]>;
  unresolvedSubjects(workspaceId: string, kind: IncidentKind): Promise<string[]>;
  /** Unresolved ones that alert rules made: of these subjects, of all when null; in no order. */
  unresolvedOfRules(
    workspaceId: string,
    subjects: readonly string[] | null,
    tx?: Transaction,
  ): Promise<RuleIncidentHead[]>;
  /** Over all workspaces: those with an unresolved one that alert rules made. */
  workspacesWithRuleIncidents(): Promise<string[]>;
  /** Unresolved ones with a subject that begins so; in no order. */
  unresolvedUnder(workspaceId: string, prefix: string, tx: Transaction): Promise<IncidentDocument[]>;
  latest(workspaceId: string, subject: string): Promise<IncidentDocument | null>;
  /** Changes an unresolved incident; null when it is resolved by now, or does not fit the target. */
  change(
    tx: Transaction,
    target: IncidentTarget,
    change: IncidentChange,
    event: IncidentEvent,
  ): Promise<IncidentDocument | null>;
  /**
   * Changes incidents that were read in this very transaction and were unresolved then; resolves them as they are
   * now. Throws when one is resolved by now, which ends the transaction.
   */
  changeAll(
    tx: Transaction,
    changes: readonly { incident: IncidentDocument; change: IncidentChange; event: IncidentEvent }[],
  ): Promise<IncidentDocument[]>;
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
  /** Over all workspaces, for the detection delay: outages opened since, newest first. */
  openedSince(sinceMs: number, limit: number): Promise<Pick<IncidentDocument, 'decision'>[]>;
}

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
        { key: { kind: 1, workspace_id: 1 }, name: 'unresolved_of_kind', partialFilterExpression: { open: true } },
      ]);
    },
    async insert(tx, documents) {
      if (documents.length > 0) await incidents.insertMany([...documents], { session: tx.session });
    },
    find: (workspaceId, id, tx) => incidents.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    unresolved: (workspaceId, subject, tx) =>
      incidents.findOne({ workspace_id: workspaceId, subject, open: true }, within(tx)),
    async findMany(targets, tx) {
      if (targets.length === 0) return [];
      const wanted = new Set(targets.map(({ workspaceId, id }) => `${workspaceId} ${id}`));
      const filter = { _id: { $in: targets.map(({ id }) => id) }, workspace_id: { $in: workspacesOf(targets) } };
      const found = await incidents.find(filter, within(tx)).toArray();
      return found.filter((incident) => wanted.has(`${incident.workspace_id} ${incident._id}`));
    },
    heads: (workspaceId, ids) =>
      incidents
        .find({ _id: { $in: [...ids] }, workspace_id: workspaceId })
        .project<IncidentHead>({ workspace_id: 1, status: 1, acknowledged_at_ms: 1, monitor_id: 1 })
        .toArray(),
    async unresolvedOf(tx, subjects) {
      if (subjects.length === 0) return [];
      const wanted = new Set(subjects.map(({ workspaceId, subject }) => `${workspaceId} ${subject}`));
      const filter = {
        workspace_id: { $in: workspacesOf(subjects) },
        subject: { $in: subjects.map(({ subject }) => subject) },
        open: true as const,
      };
      const found = await incidents.find(filter, { session: tx.session }).toArray();
      return found.filter((incident) => wanted.has(`${incident.workspace_id} ${incident.subject}`));
    },
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
      return incidents.findOneAndUpdate(filter, updateOf(change, event), {
        session: tx.session,
        returnDocument: 'after',
      });
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
    ...ruleIncidents(incidents),
    ...incidentHistory(incidents),
  };
}

/** Kinds of incidents that alert rules make. */
const OF_RULES: readonly IncidentKind[] = ['server', 'blacklist'];

function ruleIncidents(
  incidents: Collection<IncidentDocument>,
): Pick<IncidentStore, 'unresolvedOfRules' | 'workspacesWithRuleIncidents' | 'unresolvedUnder'> {
  const kind = { $in: [...OF_RULES] };
  return {
    unresolvedOfRules(workspaceId, subjects, tx) {
      const named = subjects === null ? {} : { subject: { $in: [...subjects] } };
      const head = { subject: 1, resource: 1, 'decision.rule': 1, 'decision.other_rules': 1 } as const;
      return incidents
        .find(
          { workspace_id: workspaceId, kind, open: true, ...named },
          tx === undefined ? {} : { session: tx.session },
        )
        .project<RuleIncidentHead>(head)
        .toArray();
    },
    workspacesWithRuleIncidents: () => incidents.distinct('workspace_id', { open: true, kind }),
    unresolvedUnder(workspaceId, prefix, tx) {
      const under = { $gte: prefix, $lt: `${prefix}\uffff` };
      return incidents
        .find({ workspace_id: workspaceId, subject: under, open: true }, { session: tx.session })
        .toArray();
    },
  };
}

function incidentHistory(
  incidents: Collection<IncidentDocument>,
): Pick<IncidentStore, 'list' | 'during' | 'openedSince'> {
  return {
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
    openedSince(sinceMs, limit) {
      return incidents
        .find({ kind: 'monitor', 'decision.times.opened_at_ms': { $gte: sinceMs } }, { projection: { decision: 1 } })
        .sort({ 'decision.times.opened_at_ms': -1 })
        .limit(limit)
        .toArray();
    },
  };
}

function workspacesOf(targets: readonly { workspaceId: string }[]): string[] {
  return [...new Set(targets.map(({ workspaceId }) => workspaceId))];
}

function updateOf(change: IncidentChange, event: IncidentEvent) {
  return {
    $set: { ...change, updated_at_ms: event.at_ms },
    $push: { events: { $each: [event], $slice: -EVENTS_MAX } },
    ...(change.status === 'resolved' ? { $unset: { open: true as const } } : {}),
  };
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
