import type { Db } from 'mongodb';
import type { Role } from '../../actor.js';
import { newestFirst, type PageRequest } from '../../storage/page.js';
import type { Transaction } from '../../storage/transaction.js';
import type { InvitationDocument, InvitationMailsDocument } from '../documents.js';

export interface InvitationsStore {
  ensureIndexes(): Promise<void>;
  /** Newest first, expired ones included. */
  list(workspaceId: string, page: PageRequest): Promise<InvitationDocument[]>;
  find(workspaceId: string, id: string): Promise<InvitationDocument | null>;
  findIn(tx: Transaction, workspaceId: string, id: string): Promise<InvitationDocument | null>;
  /** Takes no workspace, because the token determines it. */
  findByToken(tokenHash: string): Promise<InvitationDocument | null>;
  /** Counts those that are not expired, up to `max`, without that of `exceptEmail`. */
  countOpen(
    tx: Transaction,
    workspaceId: string,
    options: { exceptEmail: string; atMs: number; max: number },
  ): Promise<number>;
  /** Replaces the invitation of the same address. */
  replace(tx: Transaction, document: InvitationDocument): Promise<void>;
  update(tx: Transaction, document: InvitationDocument): Promise<void>;
  /** Resolves to null when there is none, or its token is another. Two at once: one resolves to null. */
  take(tx: Transaction, workspaceId: string, id: string, tokenHash?: string): Promise<InvitationDocument | null>;
  /** Makes the invitations of a workspace void that a person sent for one of the roles. Resolves to their number. */
  endSentBy(tx: Transaction, sent: { workspaceId: string; userId: string; roles: readonly Role[] }): Promise<number>;
  /** Removes the invitations of a workspace to the addresses, which are in lower case. Resolves to their number. */
  removeTo(tx: Transaction, workspaceId: string, emails: readonly string[]): Promise<number>;
  /** Resolves to the times of the latest e-mails of a workspace. */
  sentMails(tx: Transaction, workspaceId: string): Promise<readonly number[]>;
  setSentMails(tx: Transaction, workspaceId: string, sentAtMs: readonly number[]): Promise<void>;
}

export function createInvitationsStore(db: Db): InvitationsStore {
  const invitations = db.collection<InvitationDocument>('invitations');
  const mails = db.collection<InvitationMailsDocument>('invitation_mails');
  return {
    async ensureIndexes() {
      await invitations.createIndex({ token_hash: 1 }, { unique: true });
      await invitations.createIndex({ workspace_id: 1, email: 1 }, { unique: true });
      await invitations.createIndex({ workspace_id: 1, _id: -1 });
      await invitations.createIndex({ remove_at: 1 }, { expireAfterSeconds: 0 });
    },
    list(workspaceId, page) {
      const { filter, sort } = newestFirst(page.after);
      return invitations
        .find({ workspace_id: workspaceId, ...filter })
        .sort(sort)
        .limit(page.rowsMax)
        .toArray();
    },
    find: (workspace_id, _id) => invitations.findOne({ _id, workspace_id }),
    findIn: (tx, workspace_id, _id) => invitations.findOne({ _id, workspace_id }, { session: tx.session }),
    findByToken: (token_hash) => invitations.findOne({ token_hash }),
    countOpen: (tx, workspace_id, { exceptEmail, atMs, max }) =>
      invitations.countDocuments(
        { workspace_id, email: { $ne: exceptEmail }, expires_at_ms: { $gt: atMs } },
        { session: tx.session, limit: max },
      ),
    async replace(tx, document) {
      const { workspace_id, email } = document;
      await invitations.deleteOne({ workspace_id, email }, { session: tx.session });
      await invitations.insertOne(document, { session: tx.session });
    },
    async update(tx, document) {
      const { _id, workspace_id } = document;
      await invitations.replaceOne({ _id, workspace_id }, document, { session: tx.session });
    },
    take: (tx, workspace_id, _id, token_hash) =>
      invitations.findOneAndDelete(
        { _id, workspace_id, ...(token_hash === undefined ? {} : { token_hash }) },
        { session: tx.session },
      ),
    async endSentBy(tx, { workspaceId: workspace_id, userId, roles }) {
      const sent = { workspace_id, 'invited_by.id': userId, role: { $in: [...roles] }, is_void: { $exists: false } };
      return (await invitations.updateMany(sent, { $set: { is_void: true } }, { session: tx.session })).modifiedCount;
    },
    async removeTo(tx, workspace_id, emails) {
      const to = { workspace_id, email: { $in: [...emails] } };
      return (await invitations.deleteMany(to, { session: tx.session })).deletedCount;
    },
    async sentMails(tx, workspaceId) {
      return (await mails.findOne({ _id: workspaceId }, { session: tx.session }))?.sent_at_ms ?? [];
    },
    async setSentMails(tx, workspaceId, sentAtMs) {
      await mails.updateOne(
        { _id: workspaceId },
        { $set: { sent_at_ms: [...sentAtMs] } },
        { session: tx.session, upsert: true },
      );
    },
  };
}
