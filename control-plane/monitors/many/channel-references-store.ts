import type { Collection } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { MonitorDocument } from '../documents.js';

/** Reads the monitors that name a channel. */
export interface ChannelReferenceReads {
  countWithChannel(tx: Transaction, workspaceId: string, channelId: string): Promise<number>;
  /** Returns the oldest ones, at most `rowsMax`. */
  withChannel(tx: Transaction, workspaceId: string, channelId: string, rowsMax: number): Promise<MonitorDocument[]>;
}

export function createChannelReferenceReads(monitors: Collection<MonitorDocument>): ChannelReferenceReads {
  const filterOf = (workspaceId: string, channelId: string) => ({ workspace_id: workspaceId, channels: channelId });
  return {
    countWithChannel: (tx, workspaceId, channelId) =>
      monitors.countDocuments(filterOf(workspaceId, channelId), { session: tx.session }),
    withChannel: (tx, workspaceId, channelId, rowsMax) =>
      monitors
        .find(filterOf(workspaceId, channelId), { session: tx.session })
        .sort({ _id: 1 })
        .limit(rowsMax)
        .toArray(),
  };
}
