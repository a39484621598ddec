import type { Db } from 'mongodb';
import type { PlanName } from '../plans/plans.js';
import type { Transaction } from '../storage/transaction.js';
import { type Workspaces, workspaceOf } from './accounts.js';
import type { MembershipDocument, UserDocument, WorkspaceDocument } from './documents.js';

/** Records that the first run is done. Its unique id decides between control planes that start at once. */
export interface FirstRunDocument {
  _id: 'first_run';
  /** Part of the name of the temporary file with the committed credentials. */
  token: string;
  at_ms: number;
}

export interface AccountsStore extends Workspaces {
  ensureIndexes(): Promise<void>;
  /** Resolves to the plans by workspace, without workspaces that do not exist. */
  plans(ids: readonly string[]): Promise<ReadonlyMap<string, PlanName>>;
  insertWorkspace(tx: Transaction, document: WorkspaceDocument): Promise<void>;
  insertUser(tx: Transaction, document: UserDocument): Promise<void>;
  insertMembership(tx: Transaction, document: MembershipDocument): Promise<void>;
  firstRun(): Promise<FirstRunDocument | null>;
  insertFirstRun(tx: Transaction, document: FirstRunDocument): Promise<void>;
  isEmpty(): Promise<boolean>;
}

export function createAccountsStore(db: Db): AccountsStore {
  const workspaces = db.collection<WorkspaceDocument>('workspaces');
  const users = db.collection<UserDocument>('users');
  const memberships = db.collection<MembershipDocument>('memberships');
  const setup = db.collection<FirstRunDocument>('setup');
  return {
    async ensureIndexes() {
      await users.createIndex({ email: 1 }, { unique: true });
      await memberships.createIndex({ user_id: 1 });
    },
    async find(id) {
      const document = await workspaces.findOne({ _id: id });
      return document === null ? null : workspaceOf(document);
    },
    async operators() {
      const document = await workspaces.findOne({}, { sort: { _id: 1 } });
      return document === null ? null : workspaceOf(document);
    },
    async plans(ids) {
      const found = await workspaces.find({ _id: { $in: [...ids] } }, { projection: { plan: 1 } }).toArray();
      return new Map(found.map(({ _id, plan }) => [_id, plan]));
    },
    async insertWorkspace(tx, document) {
      await workspaces.insertOne(document, { session: tx.session });
    },
    async insertUser(tx, document) {
      await users.insertOne(document, { session: tx.session });
    },
    async insertMembership(tx, document) {
      await memberships.insertOne(document, { session: tx.session });
    },
    firstRun: () => setup.findOne({ _id: 'first_run' }),
    async insertFirstRun(tx, document) {
      await setup.insertOne(document, { session: tx.session });
    },
    async isEmpty() {
      return (await workspaces.findOne({}, { projection: { _id: 1 } })) === null;
    },
  };
}

export function membershipId(workspaceId: string, userId: string): string {
  return `${workspaceId}/${userId}`;
}
