import type { Collection, Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import { createLockAndCount, type LockAndCount } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelType } from '../channel-configs.js';
import type { ChannelDocument, DeliveryAttempt } from '../documents.js';

/** The fields that a change of a channel may set. */
export type ChannelChange = Partial<
  Pick<
    ChannelDocument,
    | 'name'
    | 'config'
    | 'masks'
    | 'sealed'
    | 'delay_minutes'
    | 'repeat_minutes'
    | 'disabled_at_ms'
    | 'disabled_reason'
    | 'paused_until_ms'
    | 'links_revoked_until_ms'
    | 'asks_recipients'
  >
>;

export interface ChannelStore {
  ensureIndexes(): Promise<void>;
  list(workspaceId: string, filter: { type?: ChannelType | undefined }, page: PageRequest): Promise<ChannelDocument[]>;
  find(workspaceId: string, id: string): Promise<ChannelDocument | null>;
  /** Like `find`, in a transaction. */
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<ChannelDocument | null>;
  /** Returns all e-mail channels of the workspace. */
  emailChannels(tx: Transaction, workspaceId: string): Promise<ChannelDocument[]>;
  /** Returns the enabled channels with these IDs; null means all of the workspaces. */
  enabled(tx: Transaction, workspaceIds: readonly string[], ids: readonly string[] | null): Promise<ChannelDocument[]>;
  /** Returns those of `ids` that are not channels of the workspace. */
  unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
  /** Returns e-mail channels of all workspaces whose recipients no version has asked, at most `max`. */
  ofEarlierVersions(max: number): Promise<ChannelDocument[]>;
  /** Marks channels whose addresses are confirmed or asked. The version stays the same. */
  markAsking(ids: readonly string[]): Promise<void>;
  lockAndCount: LockAndCount;
  insert(tx: Transaction, channel: ChannelDocument): Promise<void>;
  /**
   * Sets the fields and increments the version. Returns null if the channel does not exist or has another version; with
   * `version` null, any version matches.
   */
  update(
    tx: Transaction,
    workspaceId: string,
    id: string,
    version: number | null,
    change: ChannelChange,
    nowMs: number,
  ): Promise<ChannelDocument | null>;
  /** Disables the channel. Returns null if it is already disabled or does not exist. */
  disable(
    tx: Transaction,
    workspaceId: string,
    id: string,
    reason: string,
    nowMs: number,
  ): Promise<ChannelDocument | null>;
  /**
   * Pauses deliveries to the channel until then. Never shortens a pause. Like the next two, it rejects after a second,
   * because another transaction may have locked the channel.
   */
  pause(workspaceId: string, id: string, untilMs: number): Promise<void>;
  /**
   * Stores the newest delivery, unless a newer one is stored or the settings with which it was sent have changed. The
   * version stays the same.
   */
  recordDelivery(channel: Sent, delivery: DeliveryAttempt): Promise<void>;
  /** The same with the result of a test. */
  recordTest(channel: Sent, test: DeliveryAttempt): Promise<void>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<void>;
}

/** A channel as it was when something was sent through it. */
type Sent = Pick<ChannelDocument, '_id' | 'workspace_id' | 'version'>;

/** For what is only shown, and for pauses, which the next answer of the receiver would repeat: deliveries do not wait. */
const WRITE_MS_MAX = 1_000;

/**
 * Matches the channel with the settings that were sent with. A channel that was disabled meanwhile (the receiver is gone)
 * has another version, and tells the same.
 */
function asSent({ _id, workspace_id, version }: Sent) {
  return { _id, workspace_id, $or: [{ version }, { disabled_at_ms: { $ne: null } }] };
}

export function createChannelStore(db: Db): ChannelStore {
  const channels: Collection<ChannelDocument> = db.collection('channels');
  return {
    async ensureIndexes() {
      await channels.createIndexes([
        { key: { workspace_id: 1, _id: -1 } },
        { key: { asks_recipients: 1 }, name: 'asks_recipients', partialFilterExpression: { type: 'email' } },
      ]);
    },
    list(workspaceId, filter, page) {
      const { filter: after, sort } = newestFirst(page.after);
      const type = filter.type === undefined ? {} : { type: filter.type };
      return channels
        .find({ workspace_id: workspaceId, ...type, ...after })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (workspaceId, id) => channels.findOne({ _id: id, workspace_id: workspaceId }),
    findIn: (tx, workspaceId, id) => channels.findOne({ _id: id, workspace_id: workspaceId }, { session: tx.session }),
    emailChannels: (tx, workspaceId) =>
      channels.find({ workspace_id: workspaceId, type: 'email' }, { session: tx.session }).toArray(),
    enabled(tx, workspaceIds, ids) {
      const selected = ids === null ? {} : { _id: { $in: [...ids] } };
      const filter = { workspace_id: { $in: [...workspaceIds] }, disabled_at_ms: null, ...selected };
      return channels.find(filter, { session: tx.session }).sort({ _id: 1 }).toArray();
    },
    async unknown(tx, workspaceId, ids) {
      const filter = { workspace_id: workspaceId, _id: { $in: [...ids] } };
      const found = await channels.find(filter, { session: tx.session, projection: { _id: 1 } }).toArray();
      const known = new Set(found.map((channel) => channel._id));
      return ids.filter((id) => !known.has(id));
    },
    ofEarlierVersions: (max) =>
      channels
        .find({ type: 'email', asks_recipients: { $exists: false } })
        .limit(max)
        .toArray(),
    async markAsking(ids) {
      if (ids.length > 0) await channels.updateMany({ _id: { $in: [...ids] } }, { $set: { asks_recipients: true } });
    },
    lockAndCount: createLockAndCount(db, 'channel', (tx, workspaceId, max) =>
      channels.countDocuments({ workspace_id: workspaceId }, { session: tx.session, limit: max }),
    ),
    async insert(tx, channel) {
      await channels.insertOne(channel, { session: tx.session });
    },
    update(tx, workspaceId, id, version, change, nowMs) {
      const at = version === null ? {} : { version };
      return channels.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, ...at },
        { $set: { ...change, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    disable(tx, workspaceId, id, reason, nowMs) {
      return channels.findOneAndUpdate(
        { _id: id, workspace_id: workspaceId, disabled_at_ms: null },
        { $set: { disabled_at_ms: nowMs, disabled_reason: reason, updated_at_ms: nowMs }, $inc: { version: 1 } },
        { session: tx.session, returnDocument: 'after' },
      );
    },
    async pause(workspaceId, id, untilMs) {
      const filter = { _id: id, workspace_id: workspaceId };
      await channels.updateOne(filter, { $max: { paused_until_ms: untilMs } }, { maxTimeMS: WRITE_MS_MAX });
    },
    async recordDelivery(channel, last_delivery) {
      const older = { 'last_delivery.at_ms': { $not: { $gt: last_delivery.at_ms } } };
      await channels.updateOne(
        { ...asSent(channel), ...older },
        { $set: { last_delivery } },
        { maxTimeMS: WRITE_MS_MAX },
      );
    },
    async recordTest(channel, last_test) {
      const older = { 'last_test.at_ms': { $not: { $gt: last_test.at_ms } } };
      await channels.updateOne({ ...asSent(channel), ...older }, { $set: { last_test } }, { maxTimeMS: WRITE_MS_MAX });
    },
    async remove(tx, workspaceId, id) {
      await channels.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
    },
  };
}
