import type { Db } from 'mongodb';
import { containing } from '../storage/containing.js';
import { createNamedCounts, type NamedCounts } from '../storage/named-counts.js';
import { createLockAndCount, type LockAndCount } from '../storage/quota-lock.js';
import type { Transaction } from '../storage/transaction.js';
import type { DomainState, EmailDomainDocument } from './documents.js';
import type { DomainDirectory, TroubledDomain } from './email-domains.js';

export type DomainChange = Partial<
  Pick<EmailDomainDocument, 'dkim_selectors' | 'next_at_ms' | 'requested_at_ms' | 'updated_at_ms'>
>;

export interface EmailDomainStore extends DomainDirectory {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, domain: EmailDomainDocument): Promise<void>;
  /** Newest first, after `afterId`. `q` is a part of the name. */
  list(
    workspaceId: string,
    filter: { q?: string },
    afterId: string | null,
    rowsMax: number,
  ): Promise<EmailDomainDocument[]>;
  /** Updates the fields that users can change. Resolves to null if the domain has another version. */
  change(tx: Transaction, domain: EmailDomainDocument, change: DomainChange): Promise<EmailDomainDocument | null>;
  /** Makes the domain due, unless somebody requested a check since `sinceMs`. Resolves to null then. */
  requestCheck(
    tx: Transaction,
    domain: EmailDomainDocument,
    nowMs: number,
    sinceMs: number,
  ): Promise<EmailDomainDocument | null>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<boolean>;
  lockAndCount: LockAndCount;
  named: NamedCounts;
  /** Returns the id of the domain with this name; null without one. */
  idOfName(tx: Transaction, workspaceId: string, name: string): Promise<string | null>;
  /** Returns the longest due domain of each workspace, the longest due first. */
  due(nowMs: number, limit: number): Promise<EmailDomainDocument[]>;
  /** Delays the next check of a domain that is due, unless it was changed or checked since it was read. */
  postpone(domain: EmailDomainDocument, untilMs: number): Promise<void>;
  /** Saves the results of a check of `domain`. Resolves to null if it was deleted, changed or checked since it was read. */
  saveCheck(
    tx: Transaction,
    domain: EmailDomainDocument,
    found: DomainState & { next_at_ms: number },
  ): Promise<EmailDomainDocument | null>;
}

const TROUBLED = { workspace_id: 1, trouble: 1 } as const;
const HAS_TROUBLE = { 'trouble.since_ms': { $exists: true } } as const;

export function createEmailDomainStore(db: Db): EmailDomainStore {
  const domains = db.collection<EmailDomainDocument>('email_domains');
  const within = (tx?: Transaction) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await domains.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { next_at_ms: 1 } },
        { key: { 'trouble.since_ms': 1, _id: 1 }, partialFilterExpression: HAS_TROUBLE },
      ]);
    },
    named: createNamedCounts(domains, ({ name }) => name),
    async insert(tx, domain) {
      await domains.insertOne(domain, { session: tx.session });
    },
    find: (workspaceId, id, tx) => domains.findOne({ _id: id, workspace_id: workspaceId }, within(tx)),
    findMany: (workspaceId, ids, tx) =>
      domains
        .find({ workspace_id: workspaceId, _id: { $in: [...ids] } }, within(tx))
        .project<TroubledDomain>(TROUBLED)
        .toArray(),
    troubled(afterId, limit) {
      const rest = afterId === null ? {} : { _id: { $gt: afterId } };
      return domains
        .find({ ...HAS_TROUBLE, ...rest })
        .project<TroubledDomain>(TROUBLED)
        .sort({ _id: 1 })
        .limit(limit)
        .toArray();
    },
    list(workspaceId, { q }, afterId, rowsMax) {
      const rest = afterId === null ? {} : { _id: { $lt: afterId } };
      const named = q === undefined ? {} : { name: containing(q) };
      return domains
        .find({ workspace_id: workspaceId, ...named, ...rest })
        .sort({ _id: -1 })
        .limit(rowsMax)
        .toArray();
    },
    change: (tx, { _id, workspace_id, version }, change) =>
      domains.findOneAndUpdate(
        { _id, workspace_id, version },
        { $set: change, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
    requestCheck: (tx, { _id, workspace_id }, nowMs, sinceMs) =>
      domains.findOneAndUpdate(
        { _id, workspace_id, $or: [{ requested_at_ms: null }, { requested_at_ms: { $lte: sinceMs } }] },
        { $set: { requested_at_ms: nowMs, next_at_ms: nowMs } },
        { session: tx.session, returnDocument: 'after' },
      ),
    async remove(tx, workspaceId, id) {
      const removed = await domains.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
      return removed.deletedCount === 1;
    },
    lockAndCount: createLockAndCount(db, 'email_domain', (tx, workspaceId, max) =>
      domains.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    async idOfName(tx, workspaceId, name) {
      const options = { session: tx.session, projection: { _id: 1 } };
      return (await domains.findOne({ workspace_id: workspaceId, name }, options))?._id ?? null;
    },
    due: (nowMs, limit) =>
      domains
        .aggregate<EmailDomainDocument>([
          { $match: { next_at_ms: { $lte: nowMs } } },
          { $sort: { next_at_ms: 1 } },
          { $group: { _id: '$workspace_id', domain: { $first: '$$ROOT' } } },
          { $sort: { 'domain.next_at_ms': 1 } },
          { $limit: limit },
          { $replaceRoot: { newRoot: '$domain' } },
        ])
        .toArray(),
    async postpone({ _id, workspace_id, checks, next_at_ms }, untilMs) {
      await domains.updateOne({ _id, workspace_id, checks, next_at_ms }, { $set: { next_at_ms: untilMs } });
    },
    saveCheck: (tx, { _id, workspace_id, checks, version, requested_at_ms }, found) =>
      domains.findOneAndUpdate(
        { _id, workspace_id, checks, version, requested_at_ms },
        { $set: found, $inc: { checks: 1 } },
        { session: tx.session, returnDocument: 'after' },
      ),
  };
}
