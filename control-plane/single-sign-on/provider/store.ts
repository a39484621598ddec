import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { ProviderDocument } from '../documents.js';
import type { SingleSignOnPolicy } from '../sign-in/policy.js';

/** The identity providers of workspaces, and whether their members must use them. */
export interface ProviderStore {
  find(workspaceId: string): Promise<ProviderDocument | null>;
  findIn(tx: Transaction, workspaceId: string): Promise<ProviderDocument | null>;
  insert(tx: Transaction, document: ProviderDocument): Promise<void>;
  /** Resolves to false, and changes nothing, when the document no longer has the version before that of `document`. */
  replace(tx: Transaction, document: ProviderDocument): Promise<boolean>;
  remove(tx: Transaction, workspaceId: string): Promise<void>;
  /** Stored with the workspace, where every session check reads it. null: nobody must use the provider. */
  setPolicy(tx: Transaction, workspaceId: string, policy: SingleSignOnPolicy | null): Promise<void>;
  policy(workspaceId: string): Promise<SingleSignOnPolicy | null>;
  policyIn(tx: Transaction, workspaceId: string): Promise<SingleSignOnPolicy | null>;
}

interface WorkspacePolicy {
  _id: string;
  single_sign_on?: SingleSignOnPolicy | null;
}

export function createProviderStore(db: Db): ProviderStore {
  const providers = db.collection<ProviderDocument>('single_sign_on');
  const workspaces = db.collection<WorkspacePolicy>('workspaces');
  return {
    find: (_id) => providers.findOne({ _id }),
    findIn: (tx, _id) => providers.findOne({ _id }, { session: tx.session }),
    async insert(tx, document) {
      await providers.insertOne(document, { session: tx.session });
    },
    async replace(tx, document) {
      const { _id, version } = document;
      const done = await providers.replaceOne({ _id, version: version - 1 }, document, { session: tx.session });
      return done.matchedCount === 1;
    },
    async remove(tx, _id) {
      await providers.deleteOne({ _id }, { session: tx.session });
    },
    async setPolicy(tx, _id, policy) {
      await workspaces.updateOne({ _id }, { $set: { single_sign_on: policy } }, { session: tx.session });
    },
    policy: (id) => policyOf(id),
    policyIn: (tx, id) => policyOf(id, { session: tx.session }),
  };

  async function policyOf(_id: string, options: { session?: Transaction['session'] } = {}) {
    const found = await workspaces.findOne({ _id }, { ...options, projection: { single_sign_on: 1 } });
    return found?.single_sign_on ?? null;
  }
}

/** Returns what log-ins through the provider of a workspace refer to, and its removal removes. */
export function providerLockId(workspaceId: string): string {
  return `single_sign_on/${workspaceId}`;
}
