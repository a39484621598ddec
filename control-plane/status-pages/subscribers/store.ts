import type { Db } from 'mongodb';
import { createNamedCounts, type NamedCounts } from '../../storage/named-counts.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { SubscriberDocument, SubscriberSettings, SubscriptionQuestion } from './documents.js';

export interface SubscriberStore {
  ensureIndexes(): Promise<void>;
  /** Throws E11000 if the page has a subscriber with the receiver. */
  insert(tx: Transaction, subscriber: SubscriberDocument): Promise<void>;
  find(workspaceId: string, pageId: string, id: string, tx?: Transaction): Promise<SubscriberDocument | null>;
  findReceiver(
    tx: Transaction,
    page: { _id: string; workspace_id: string },
    receiver: string,
  ): Promise<SubscriberDocument | null>;
  /** Takes no workspace, because the signed token of a link names the subscriber. */
  findById(id: string, tx?: Transaction): Promise<SubscriberDocument | null>;
  /** Takes no workspace, because the token determines it. Resolves to null when the question has expired. */
  findByToken(tokenHash: string, nowMs: number, tx?: Transaction): Promise<SubscriberDocument | null>;
  list(workspaceId: string, pageId: string, page: PageRequest): Promise<SubscriberDocument[]>;
  countOfPage(workspaceId: string, pageId: string, type: SubscriberDocument['type'], max: number): Promise<number>;
  setQuestion(tx: Transaction, id: string, question: SubscriptionQuestion, expiresAt: Date | null): Promise<void>;
  /** Of the newest question. */
  confirm(tx: Transaction, id: string, settings: SubscriberSettings, nowMs: number): Promise<void>;
  remove(tx: Transaction, subscriber: Pick<SubscriberDocument, '_id' | 'workspace_id'>): Promise<boolean>;
  /** Returns confirmed subscribers of a page behind `after`, in the order of their ids. */
  batch(workspaceId: string, pageId: string, after: string | null, rowsMax: number): Promise<SubscriberDocument[]>;
  /** Returns the ids of those that still exist. */
  existing(
    tx: Transaction,
    workspaceId: string,
    of: readonly Pick<SubscriberDocument, '_id'>[],
  ): Promise<ReadonlySet<string>>;
  /** Stores the newest mail of each, to see later whether its address was refused. */
  mailed(tx: Transaction, mails: ReadonlyMap<string, string>, checkAtMs: number): Promise<void>;
  /** Returns subscribers whose newest mail is to be checked. */
  unsettled(nowMs: number, rowsMax: number): Promise<SubscriberDocument[]>;
  settled(ids: readonly string[]): Promise<void>;
  checkLater(ids: readonly string[], checkAtMs: number): Promise<void>;
  /** Deletes subscribers of a page, at most `max`. Returns their number. */
  removeOfPage(workspaceId: string, pageId: string, max: number): Promise<number>;
  /** Counts the confirmed subscribers of a workspace. */
  lockAndCount: LockAndCount;
  named: NamedCounts;
}

export function createSubscriberStore(db: Db): SubscriberStore {
  const subscribers = db.collection<SubscriberDocument>('status_page_subscribers');
  const confirmed = { state: 'confirmed' } as const;
  const inSession = (tx: Transaction | undefined) => (tx === undefined ? {} : { session: tx.session });
  return {
    async ensureIndexes() {
      await subscribers.createIndexes([
        { key: { workspace_id: 1, page_id: 1, _id: -1 } },
        { key: { workspace_id: 1, state: 1 } },
        { key: { page_id: 1, receiver: 1 }, unique: true },
        { key: { page_id: 1, state: 1, _id: 1 } },
        { key: { 'question.token_hash': 1 }, sparse: true, unique: true },
        { key: { 'unsettled.check_at_ms': 1 }, sparse: true },
        { key: { expires_at: 1 }, expireAfterSeconds: 0 },
      ]);
    },
    async insert(tx, subscriber) {
      await subscribers.insertOne(subscriber, { session: tx.session });
    },
    find: (workspaceId, pageId, id, tx) =>
      subscribers.findOne({ _id: id, workspace_id: workspaceId, page_id: pageId }, inSession(tx)),
    findReceiver: (tx, { _id: page_id, workspace_id }, receiver) =>
      subscribers.findOne({ page_id, receiver, workspace_id }, { session: tx.session }),
    findById: (id, tx) => subscribers.findOne({ _id: id }, inSession(tx)),
    findByToken: (token_hash, nowMs, tx) =>
      subscribers.findOne(
        { 'question.token_hash': token_hash, 'question.expires_at_ms': { $gt: nowMs } },
        inSession(tx),
      ),
    list(workspaceId, pageId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return subscribers
        .find({ workspace_id: workspaceId, page_id: pageId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
    countOfPage: (workspaceId, pageId, type, max) =>
      subscribers.countDocuments({ workspace_id: workspaceId, page_id: pageId, ...confirmed, type }, { limit: max }),
    async setQuestion(tx, id, question, expiresAt) {
      const expires_at = expiresAt === null ? {} : { expires_at: expiresAt };
      await subscribers.updateOne({ _id: id }, { $set: { question, ...expires_at } }, { session: tx.session });
    },
    async confirm(tx, id, settings, nowMs) {
      await subscribers.updateOne(
        { _id: id },
        // Who only changes the settings has been a subscriber before.
        [
          {
            $set: {
              ...settings,
              state: 'confirmed',
              'question.answered': true,
              version: { $add: ['$version', 1] },
              confirmed_at_ms: { $ifNull: ['$confirmed_at_ms', nowMs] },
            },
          },
          { $unset: 'expires_at' },
        ],
        { session: tx.session },
      );
    },
    async remove(tx, { _id, workspace_id }) {
      return (await subscribers.deleteOne({ _id, workspace_id }, { session: tx.session })).deletedCount === 1;
    },
    batch: (workspaceId, pageId, after, rowsMax) =>
      subscribers
        .find({
          ...{ page_id: pageId, workspace_id: workspaceId, ...confirmed },
          ...(after === null ? {} : { _id: { $gt: after } }),
        })
        .sort({ _id: 1 })
        .limit(rowsMax)
        .toArray(),
    async existing(tx, workspaceId, of) {
      const filter = { _id: { $in: of.map(({ _id }) => _id) }, workspace_id: workspaceId };
      const found = await subscribers.find(filter, { session: tx.session, projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    async mailed(tx, mails, checkAtMs) {
      if (mails.size === 0) return;
      await subscribers.bulkWrite(
        [...mails].map(([_id, mail_id]) => ({
          updateOne: { filter: { _id }, update: { $set: { unsettled: { mail_id, check_at_ms: checkAtMs } } } },
        })),
        { session: tx.session, ordered: false },
      );
    },
    unsettled: (nowMs, rowsMax) =>
      subscribers
        .find({ 'unsettled.check_at_ms': { $lte: nowMs } })
        .sort({ 'unsettled.check_at_ms': 1 })
        .limit(rowsMax)
        .toArray(),
    async settled(ids) {
      if (ids.length > 0) await subscribers.updateMany({ _id: { $in: [...ids] } }, { $unset: { unsettled: '' } });
    },
    async checkLater(ids, checkAtMs) {
      const still = { _id: { $in: [...ids] }, unsettled: { $exists: true } };
      if (ids.length > 0) await subscribers.updateMany(still, { $set: { 'unsettled.check_at_ms': checkAtMs } });
    },
    async removeOfPage(workspaceId, pageId, max) {
      const found = await subscribers
        .find({ workspace_id: workspaceId, page_id: pageId }, { projection: { _id: 1 } })
        .limit(max)
        .toArray();
      if (found.length > 0) await subscribers.deleteMany({ _id: { $in: found.map(({ _id }) => _id) } });
      return found.length;
    },
    lockAndCount: createLockAndCount(db, 'status_page_subscriber', (tx, workspaceId, max) =>
      subscribers.countDocuments({ workspace_id: workspaceId, ...confirmed }, { session: tx.session, limit: max }),
    ),
    // The name of a quota's example is shown to members who may not see addresses.
    named: createNamedCounts(
      subscribers,
      ({ _id }) => _id,
      () => confirmed,
    ),
  };
}
