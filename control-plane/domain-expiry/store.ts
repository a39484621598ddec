import type { Db, Filter } from 'mongodb';
import { containing } from '../storage/containing.js';
import type { Transaction } from '../storage/transaction.js';
import type { MonitoredDomainDocument } from './documents.js';
import type { ExpiringDomain, MonitoredDomains } from './domain-expiry.js';

/** What is known of a domain from now on, and when it is due. */
type Change = Pick<MonitoredDomainDocument, 'registration' | 'next_at_ms'>;

export interface MonitoredDomainStore extends MonitoredDomains {
  ensureIndexes(): Promise<void>;
  /** Returns all domains of a workspace: at most as many as it has monitors. */
  all(workspaceId: string, tx?: Transaction): Promise<MonitoredDomainDocument[]>;
  /** Returns the workspaces with a domain. */
  workspaces(): Promise<string[]>;
  insert(tx: Transaction, domains: readonly MonitoredDomainDocument[]): Promise<void>;
  /** Writes which monitors are of the domains. */
  setMonitors(
    tx: Transaction,
    domains: readonly Pick<
      MonitoredDomainDocument,
      '_id' | 'workspace_id' | 'monitor_ids' | 'monitors' | 'is_of_others'
    >[],
  ): Promise<void>;
  remove(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<void>;
  /** Newest first, after `afterId`. `q` is a part of the name. */
  list(
    workspaceId: string,
    filter: { q?: string; name?: string },
    afterId: string | null,
    rowsMax: number,
  ): Promise<MonitoredDomainDocument[]>;
  /** Returns the longest due domain of each workspace, the longest due first. */
  due(nowMs: number, limit: number): Promise<MonitoredDomainDocument[]>;
  /** Delays the next look at a domain that is due, unless it was checked since it was read. */
  postpone(domain: MonitoredDomainDocument, change: Change): Promise<void>;
  /** Delays the next look at all domains of these workspaces that are due. */
  postponeAll(workspaceIds: readonly string[], nowMs: number, untilMs: number): Promise<void>;
  /** Saves what is known of a domain. Resolves to null if it was removed or checked since it was read. */
  saveRegistration(
    tx: Transaction,
    domain: MonitoredDomainDocument,
    change: Change,
  ): Promise<MonitoredDomainDocument | null>;
  /** Notes that the workspace is told that the suffix has no RDAP. Resolves to false if it was told before. */
  noteUnsupported(tx: Transaction, workspaceId: string, suffix: string): Promise<boolean>;
}

/** One document of `domain_suffix_notices`: a suffix without RDAP of which a workspace was told. */
interface SuffixNotice {
  /** `<workspace>/<suffix>`. */
  _id: string;
  workspace_id: string;
}

const EXPIRING = { workspace_id: 1, name: 1, registration: 1, is_of_others: 1 } as const;
const EXPIRING_INDEX = 'expiring';

export function createMonitoredDomainStore(db: Db): MonitoredDomainStore {
  const domains = db.collection<MonitoredDomainDocument>('monitored_domains');
  const notices = db.collection<SuffixNotice>('domain_suffix_notices');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await domains.createIndexes([
        { key: { workspace_id: 1, name: 1 }, unique: true },
        { key: { workspace_id: 1, _id: -1 } },
        { key: { workspace_id: 1, next_at_ms: 1 } },
        { key: { next_at_ms: 1, workspace_id: 1, _id: 1 } },
        { key: { _id: 1, 'registration.expires_at_ms': 1, is_of_others: 1 }, name: EXPIRING_INDEX },
      ]);
      await notices.createIndex({ workspace_id: 1 });
    },
    all: (workspaceId, tx) => domains.find({ workspace_id: workspaceId }, within(tx)).toArray(),
    workspaces: () => domains.distinct('workspace_id'),
    async insert(tx, documents) {
      if (documents.length > 0) await domains.insertMany([...documents], { session: tx.session });
    },
    async setMonitors(tx, changed) {
      if (changed.length === 0) return;
      const writes = changed.map(({ _id, workspace_id, monitor_ids, monitors, is_of_others }) => ({
        updateOne: { filter: { _id, workspace_id }, update: { $set: { monitor_ids, monitors, is_of_others } } },
      }));
      await domains.bulkWrite(writes, { session: tx.session, ordered: false });
    },
    async remove(tx, workspaceId, ids) {
      await domains.deleteMany({ workspace_id: workspaceId, _id: { $in: [...ids] } }, { session: tx.session });
    },
    find: (workspaceId, id, tx) => domains.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findMany: (workspaceId, ids, tx) =>
      domains
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx))
        .project<ExpiringDomain>(EXPIRING)
        .toArray(),
    expiring(beforeMs, afterId, limit) {
      // With a bound of the id, the index both sorts and filters. Without the hint, MongoDB takes that of the id alone.
      const after = { _id: { $gt: afterId ?? '' } };
      return domains
        .find({ ...after, 'registration.expires_at_ms': { $lt: beforeMs }, is_of_others: false })
        .project<ExpiringDomain>(EXPIRING)
        .hint(EXPIRING_INDEX)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
    },
    list(workspaceId, { q, name }, afterId, rowsMax) {
      const filter: Filter<MonitoredDomainDocument> = { workspace_id: workspaceId };
      if (afterId !== null) filter._id = { $lt: afterId };
      if (name !== undefined) filter.name = name;
      else if (q !== undefined) filter.name = containing(q);
      return domains.find(filter).sort({ _id: -1 }).limit(rowsMax).toArray();
    },
    async due(nowMs, limit) {
      // Reads the index only: a backlog of a large workspace must not be read with each batch.
      const first = await domains
        .aggregate<{ id: string }>([
          { $match: { next_at_ms: { $lte: nowMs } } },
          { $sort: { next_at_ms: 1, workspace_id: 1, _id: 1 } },
          { $project: { _id: 1, workspace_id: 1, next_at_ms: 1 } },
          { $group: { _id: '$workspace_id', id: { $first: '$_id' }, next_at_ms: { $first: '$next_at_ms' } } },
          { $sort: { next_at_ms: 1, _id: 1 } },
          { $limit: limit },
          { $project: { _id: 0, id: 1 } },
        ])
        .toArray();
      const found = await domains.find({ _id: { $in: first.map(({ id }) => id) } }).toArray();
      return found.toSorted((a, b) => a.next_at_ms - b.next_at_ms);
    },
    async postpone({ _id, workspace_id, checks, next_at_ms }, change) {
      await domains.updateOne({ _id, workspace_id, checks, next_at_ms }, { $set: change });
    },
    async postponeAll(workspaceIds, nowMs, untilMs) {
      const due = { workspace_id: { $in: [...workspaceIds] }, next_at_ms: { $lte: nowMs } };
      await domains.updateMany(due, { $set: { next_at_ms: untilMs } });
    },
    saveRegistration: (tx, { _id, workspace_id, checks, next_at_ms }, change) =>
      domains.findOneAndUpdate(
        { _id, workspace_id, checks, next_at_ms },
        { $set: change, $inc: { checks: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async noteUnsupported(tx, workspaceId, suffix) {
      const noted = await notices.updateOne(
        { _id: `${workspaceId}/${suffix}`, workspace_id: workspaceId },
        { $setOnInsert: { workspace_id: workspaceId } },
        { upsert: true, session: tx.session },
      );
      return noted.upsertedCount === 1;
    },
  };
}
