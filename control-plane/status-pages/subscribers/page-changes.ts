import type { Transaction } from '../../storage/transaction.js';
import type { StatusPageDocument } from '../documents.js';

/** What the rest of status pages tells subscriptions. */
export interface PageChanges {
  /** What the page says has changed: its subscribers are notified within seconds. */
  changed(tx: Transaction, page: Pick<StatusPageDocument, '_id' | 'workspace_id'>): Promise<void>;
  incidentDeleted(tx: Transaction, workspaceId: string, incidentId: string): Promise<void>;
  /** Its subscribers are deleted within seconds. */
  pageDeleted(tx: Transaction, page: Pick<StatusPageDocument, '_id' | 'workspace_id'>): Promise<void>;
}
