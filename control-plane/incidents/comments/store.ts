import type { Db } from 'mongodb';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { CommentDocument } from './documents.js';

/** Comments have a collection of their own, because most reads of incidents do not need them. */
export interface CommentStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, comment: CommentDocument): Promise<void>;
  /** Returns comments on the incident, newest first. */
  list(workspaceId: string, incidentId: string, page: PageRequest): Promise<CommentDocument[]>;
}

export function createCommentStore(db: Db): CommentStore {
  const comments = db.collection<CommentDocument>('incident_comments');
  return {
    async ensureIndexes() {
      await comments.createIndex({ workspace_id: 1, incident_id: 1, _id: -1 });
    },
    async insert(tx, comment) {
      await comments.insertOne(comment, { session: tx.session });
    },
    list(workspaceId, incidentId, { after, rowsMax }) {
      const { filter, sort } = newestFirst(after);
      return comments
        .find({ workspace_id: workspaceId, incident_id: incidentId, ...filter })
        .sort(sort)
        .limit(rowsMax)
        .toArray();
    },
  };
}
