import type { Collection } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorDocument } from '../documents.js';

/** Which monitors: those that name this channel, and none of the channels `without`. */
export interface NamedChannel {
  id: string;
  without?: readonly string[];
}

/** Reads the monitors that name a channel. */
export interface ChannelReferenceReads {
  countWithChannel(tx: Transaction, workspaceId: string, channel: NamedChannel): Promise<number>;
  /** Returns the oldest ones, at most `rowsMax`. */
  withChannel(tx: Transaction, workspaceId: string, channel: NamedChannel, rowsMax: number): Promise<MonitorDocument[]>;
}

export function createChannelReferenceReads(monitors: Collection<MonitorDocument>): ChannelReferenceReads {
  const filterOf = (workspaceId: string, { id, without = [] }: NamedChannel) => ({
    workspace_id: workspaceId,
    channels: { $eq: id, $nin: [...without] },
  });
  return {
    countWithChannel: (tx, workspaceId, channel) =>
      monitors.countDocuments(filterOf(workspaceId, channel), { session: tx.session }),
    withChannel: (tx, workspaceId, channel, rowsMax) =>
      monitors.find(filterOf(workspaceId, channel), { session: tx.session }).sort({ _id: 1 }).limit(rowsMax).toArray(),
  };
}
