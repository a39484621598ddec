import { Binary, type Db } from 'mongodb';
import type { Logo } from '../../logo/logo.js';
import type { Transaction } from '../../storage/transaction.js';

/** One document of `status_page_logos`: the picture of a page, apart from the page, which is read far more often. */
export interface LogoDocument {
  /** The id of the page. */
  _id: string;
  workspace_id: string;
  type: Logo['type'];
  bytes: Binary;
}

export interface LogosStore {
  ensureIndexes(): Promise<void>;
  /** Stores the logo of a page in place of the one before. */
  save(tx: Transaction, page: { workspaceId: string; id: string }, logo: Logo): Promise<void>;
  find(workspaceId: string, pageId: string): Promise<Logo | null>;
  remove(tx: Transaction, workspaceId: string, pageId: string): Promise<void>;
}

export function createLogosStore(db: Db): LogosStore {
  const logos = db.collection<LogoDocument>('status_page_logos');
  return {
    async ensureIndexes() {
      // For the erasure of a workspace.
      await logos.createIndexes([{ key: { workspace_id: 1 } }]);
    },
    async save(tx, { workspaceId, id }, { type, bytes }) {
      const picture = { workspace_id: workspaceId, type, bytes: new Binary(bytes) };
      const { session } = tx;
      await logos.replaceOne({ _id: id, workspace_id: workspaceId }, picture, { upsert: true, session });
    },
    async find(workspaceId, pageId) {
      const found = await logos.findOne({ _id: pageId, workspace_id: workspaceId });
      return found === null ? null : { type: found.type, bytes: Buffer.from(found.bytes.value()) };
    },
    async remove(tx, workspaceId, pageId) {
      await logos.deleteOne({ _id: pageId, workspace_id: workspaceId }, { session: tx.session });
    },
  };
}
