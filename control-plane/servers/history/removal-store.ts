import type { Db } from 'mongodb';
import type { ServerIdentity } from '../servers.js';
import { afterServer, historyId } from './document-id.js';

/** All collections with the history of a server. */
const COLLECTIONS = [
  'server_reports',
  'server_reports_set_aside',
  'server_hours_set_aside',
  'server_metrics',
  'server_metrics_1m',
  'server_metrics_1h',
] as const;

/** Deletes the history of a deleted server. */
export type RemoveHistory = (server: ServerIdentity) => Promise<void>;

export function createRemoveHistory(db: Db): RemoveHistory {
  return async ({ workspaceId, serverId }) => {
    const range = { $gte: historyId(serverId, 0), $lt: afterServer(serverId) };
    for (const name of COLLECTIONS) {
      await db.collection<{ _id: string }>(name).deleteMany({ _id: range, workspace_id: workspaceId });
    }
  };
}
