import type { Collection, Db } from 'mongodb';
import type { PageRequest } from '../../http/paging.js';
import { newestFirst } from '../../storage/cursor.js';
import type { Transaction } from '../../storage/transaction.js';
import type { ChannelDocument } from '../documents.js';
import type { ChannelType } from '../schema.js';

/** What a change may set. */
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
  >
>;

export interface ChannelStore {
  ensureIndexes(): Promise<void>;
  list(workspaceId: string, filter: { type?: ChannelType | undefined }, page: PageRequest): Promise<ChannelDocument[]>;
  find(workspaceId: string, id: string): Promise<ChannelDocument | null>;
  /** As `find`, inside a transaction. */
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<ChannelDocument | null>;
  /** The named channels of the workspace that are in use, or with null all of them. */
  inUse(tx: Transaction, workspaceId: string, ids: readonly string[] | null): Promise<ChannelDocument[]>;
  /** Those of `ids` that are no channel of the workspace. */
  unknown(tx: Transaction, workspaceId: string, ids: readonly string[]): Promise<string[]>;
  count(tx: Transaction, workspaceId: string): Promise<number>;
  insert(tx: Transaction, channel: ChannelDocument): Promise<void>;
  /** Sets the members and raises the version; null when the channel is not there at `version` (null: any). */
  update(
    tx: Transaction,
    workspaceId: string,
    id: string,
    version: number | null,
    change: ChannelChange,
    nowMs: number,
  ): Promise<ChannelDocument | null>;
  /** Takes the channel out of use unless it is already; null when it was, or is gone. */
  disable(
    tx: Transaction,
    workspaceId: string,
    id: string,
    reason: string,
    nowMs: number,
  ): Promise<ChannelDocument | null>;
  /** No attempt before then; never shortens a pause. */
  pause(workspaceId: string, id: string, untilMs: number): Promise<void>;
  remove(tx: Transaction, workspaceId: string, id: string): Promise<void>;
}

export function createChannelStore(db: Db): ChannelStore {
  const channels: Collection<ChannelDocument> = db.collection('channels');
  return {
    async ensureIndexes() {
      await channels.createIndex({ workspace_id: 1, _id: -1 });
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
    inUse(tx, workspaceId, ids) {
      const named = ids === null ? {} : { _id: { $in: [...ids] } };
      const filter = { workspace_id: workspaceId, disabled_at_ms: null, ...named };
      return channels.find(filter, { session: tx.session }).sort({ _id: 1 }).toArray();
    },
    async unknown(tx, workspaceId, ids) {
      const filter = { workspace_id: workspaceId, _id: { $in: [...ids] } };
      const found = await channels.find(filter, { session: tx.session, projection: { _id: 1 } }).toArray();
      const known = new Set(found.map((channel) => channel._id));
      return ids.filter((id) => !known.has(id));
    },
    count: (tx, workspaceId) => channels.countDocuments({ workspace_id: workspaceId }, { session: tx.session }),
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
      await channels.updateOne({ _id: id, workspace_id: workspaceId }, { $max: { paused_until_ms: untilMs } });
    },
    async remove(tx, workspaceId, id) {
      await channels.deleteOne({ _id: id, workspace_id: workspaceId }, { session: tx.session });
    },
  };
}
