import type { Db } from 'mongodb';
import type { PageRequest } from '../../storage/page.js';
import { createLockAndCount, createQuotaLock, type LockAndCount, type LockQuota } from '../../storage/quota-lock.js';
import type { Transaction } from '../../storage/transaction.js';
import type { DomainDocument } from '../documents.js';

/** The domains of workspaces. */
export interface DomainStore {
  ensureIndexes(): Promise<void>;
  lockQuota: LockQuota;
  /** Returns domains by name. */
  list(workspaceId: string, page: PageRequest): Promise<DomainDocument[]>;
  find(workspaceId: string, domain: string): Promise<DomainDocument | null>;
  findIn(tx: Transaction, workspaceId: string, domain: string): Promise<DomainDocument | null>;
  /** Takes the lock of `lockQuota`. */
  lockAndCount: LockAndCount;
  countVerified(tx: Transaction, workspaceId: string): Promise<number>;
  /** Returns the verified domains of the workspace. */
  verifiedOf(tx: Transaction, workspaceId: string): Promise<string[]>;
  /** Takes no workspace, because it finds out which one a domain belongs to. At most one has it verified. */
  verified(domain: string): Promise<DomainDocument | null>;
  verifiedIn(tx: Transaction, domain: string): Promise<DomainDocument | null>;
  insert(tx: Transaction, document: DomainDocument): Promise<void>;
  /** Throws a duplicate key error when another workspace has the domain verified. */
  setChecked(
    tx: Transaction,
    workspaceId: string,
    domain: string,
    checked: Pick<DomainDocument, 'verified_at_ms' | 'checked_at_ms'>,
  ): Promise<void>;
  remove(tx: Transaction, workspaceId: string, domain: string): Promise<void>;
}

/** What the lock is called. */
const THINGS = 'single_sign_on_domain';

export function createDomainStore(db: Db): DomainStore {
  const domains = db.collection<DomainDocument>('single_sign_on_domains');
  const isVerified = { verified_at_ms: { $gt: 0 } };
  return {
    async ensureIndexes() {
      await domains.createIndex({ domain: 1 }, { unique: true, partialFilterExpression: isVerified });
      await domains.createIndex({ workspace_id: 1, domain: 1 });
    },
    lockQuota: createQuotaLock(db, THINGS),
    list(workspace_id, { after, rowsMax }) {
      const rest = after === null ? {} : { domain: { $gt: after } };
      return domains
        .find({ workspace_id, ...rest })
        .sort({ domain: 1 })
        .limit(rowsMax)
        .toArray();
    },
    find: (workspaceId, domain) => domains.findOne({ _id: domainId(workspaceId, domain) }),
    findIn: (tx, workspaceId, domain) =>
      domains.findOne({ _id: domainId(workspaceId, domain) }, { session: tx.session }),
    lockAndCount: createLockAndCount(db, THINGS, (tx, workspace_id, max) =>
      domains.countDocuments({ workspace_id }, { session: tx.session, limit: max }),
    ),
    countVerified: (tx, workspace_id) =>
      domains.countDocuments({ workspace_id, ...isVerified }, { session: tx.session }),
    async verifiedOf(tx, workspace_id) {
      const found = await domains.find({ workspace_id, ...isVerified }, { session: tx.session }).toArray();
      return found.map(({ domain }) => domain);
    },
    verified: (domain) => domains.findOne({ domain, ...isVerified }),
    verifiedIn: (tx, domain) => domains.findOne({ domain, ...isVerified }, { session: tx.session }),
    async insert(tx, document) {
      await domains.insertOne(document, { session: tx.session });
    },
    async setChecked(tx, workspaceId, domain, checked) {
      await domains.updateOne(
        { _id: domainId(workspaceId, domain) },
        { $set: checked, $inc: { version: 1 } },
        { session: tx.session },
      );
    },
    async remove(tx, workspaceId, domain) {
      await domains.deleteOne({ _id: domainId(workspaceId, domain) }, { session: tx.session });
    },
  };
}

export function domainId(workspaceId: string, domain: string): string {
  return `${workspaceId}/${domain}`;
}
