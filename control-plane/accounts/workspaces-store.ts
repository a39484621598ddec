import type { Db } from 'mongodb';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import { type Workspace, type Workspaces, workspaceOf } from './accounts.js';
import type { Deletion, WorkspaceDocument } from './documents.js';

export interface WorkspacesStore extends Workspaces {
  ensureIndexes(): Promise<void>;
  /** Resolves to the plans by workspace, without workspaces that do not exist. */
  plans(ids: readonly string[]): Promise<ReadonlyMap<string, PlanName>>;
  insert(tx: Transaction, document: WorkspaceDocument): Promise<void>;
  /** Like `find`, with everything that is stored of the workspace, as the transaction sees it. */
  document(tx: Transaction, id: string): Promise<WorkspaceDocument | null>;
  /** Like `find`, with everything that is stored of the workspace. */
  findDocument(id: string): Promise<WorkspaceDocument | null>;
  /** Resolves to the workspaces by id, without those that do not exist. */
  named(ids: readonly string[]): Promise<ReadonlyMap<string, Workspace>>;
  change(tx: Transaction, id: string, set: { name?: string; requires_second_factor?: boolean }): Promise<void>;
  setDeletion(tx: Transaction, id: string, deletion: Deletion | null): Promise<void>;
  isEmpty(): Promise<boolean>;
  /**
   * Makes the oldest workspace that was created at this time that of the operators. Resolves to whether there is one.
   * Idempotent.
   */
  setOperators(tx: Transaction, createdAtMs: number): Promise<boolean>;
}

export function createWorkspacesStore(db: Db): WorkspacesStore {
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  return {
    async ensureIndexes() {
      // There is one such workspace at most.
      await workspaces.createIndex({ operates_installation: 1 }, { unique: true, sparse: true });
    },
    async find(id) {
      const document = await workspaces.findOne({ _id: id });
      return document === null ? null : workspaceOf(document);
    },
    async operators() {
      const document = await workspaces.findOne({ operates_installation: true });
      return document === null ? null : workspaceOf(document);
    },
    async plans(ids) {
      const found = await workspaces.find({ _id: { $in: [...ids] } }, { projection: { plan: 1 } }).toArray();
      return new Map(found.map(({ _id, plan }) => [_id, plan]));
    },
    async insert(tx, document) {
      await workspaces.insertOne(document, { session: tx.session });
    },
    document: (tx, id) => workspaces.findOne({ _id: id }, { session: tx.session }),
    findDocument: (_id) => workspaces.findOne({ _id }),
    async named(ids) {
      const found = await workspaces.find({ _id: { $in: [...ids] } }).toArray();
      return new Map(found.map((document) => [document._id, workspaceOf(document)]));
    },
    async change(tx, id, set) {
      await workspaces.updateOne({ _id: id }, { $set: set, $inc: { settings_version: 1 } }, { session: tx.session });
    },
    async setDeletion(tx, id, deletion) {
      await workspaces.updateOne({ _id: id }, { $set: { deletion } }, { session: tx.session });
    },
    async isEmpty() {
      return (await workspaces.findOne({}, { projection: { _id: 1 } })) === null;
    },
    async setOperators({ session }, created_at_ms) {
      const first = { sort: { _id: 1 }, session } as const;
      const set = { $set: { operates_installation: true } } as const;
      return (await workspaces.findOneAndUpdate({ created_at_ms }, set, first)) !== null;
    },
  };
}
