import { type Collection, type Db, MongoBulkWriteError } from 'mongodb';
import { isDuplicateKey, type Transaction } from '../storage/transaction.js';
import type { RecipientDocument, RecipientQuestion, RecipientState } from './documents.js';

export interface RecipientsStore {
  ensureIndexes(): Promise<void>;
  /** Returns what is known of the addresses, which are in lower case, by address. */
  known(
    workspaceId: string,
    addresses: readonly string[],
    tx?: Transaction,
  ): Promise<ReadonlyMap<string, RecipientDocument>>;
  /** Takes no workspace, because the token determines it. Resolves to null when the question has expired. */
  findByToken(tokenHash: string, nowMs: number, tx?: Transaction): Promise<RecipientDocument | null>;
  /** Stores the newest question. The links of earlier ones end. */
  setQuestion(tx: Transaction, workspaceId: string, address: string, question: RecipientQuestion): Promise<void>;
  /** Stores that the address was confirmed. Its question stays, so that its page can be opened again. */
  confirm(tx: Transaction, workspaceId: string, address: string, nowMs: number): Promise<void>;
  /** Stores that the address wants no mails, and its state from before, null when it is unknown. Links of questions end. */
  stop(
    tx: Transaction,
    stopped: { workspaceId: string; address: string; from: Exclude<RecipientState, 'stopped'> | null },
    nowMs: number,
  ): Promise<void>;
  /** Ends a stop with the state from before it. */
  endStop(tx: Transaction, stopped: RecipientDocument, nowMs: number): Promise<void>;
  /**
   * Stores that the address is no member's any more. Links of questions end. One that has stopped the mails stays so, and has
   * nothing that the end of the stop would restore.
   */
  leave(tx: Transaction, workspaceId: string, address: string, nowMs: number): Promise<void>;
  /** Stores addresses as confirmed. Changes none that is known. Without a transaction, several can do it at once. */
  confirmUnknown(workspaceId: string, addresses: readonly string[], nowMs: number, tx?: Transaction): Promise<void>;
}

export function createRecipientsStore(db: Db): RecipientsStore {
  const recipients: Collection<RecipientDocument> = db.collection('recipients');
  return {
    async ensureIndexes() {
      await recipients.createIndexes([
        { key: { workspace_id: 1 } },
        { key: { 'question.token_hash': 1 }, sparse: true, unique: true },
      ]);
    },
    async known(workspaceId, addresses, tx) {
      const _id = { $in: addresses.map((address) => idOf(workspaceId, address)) };
      const found = await recipients.find({ _id, workspace_id: workspaceId }, inSession(tx)).toArray();
      return new Map(found.map((recipient) => [recipient.address, recipient]));
    },
    findByToken: (token_hash, nowMs, tx) =>
      recipients.findOne(
        { 'question.token_hash': token_hash, 'question.expires_at_ms': { $gt: nowMs } },
        inSession(tx),
      ),
    async setQuestion(tx, workspaceId, address, question) {
      await recipients.updateOne(
        { _id: idOf(workspaceId, address), workspace_id: workspaceId },
        { $set: { state: 'asked', changed_at_ms: question.asked_at_ms, question }, $setOnInsert: { address } },
        { session: tx.session, upsert: true },
      );
    },
    async confirm(tx, workspaceId, address, nowMs) {
      await recipients.updateOne(
        { _id: idOf(workspaceId, address), workspace_id: workspaceId },
        { $set: { state: 'confirmed', changed_at_ms: nowMs }, $unset: { stopped_from: '' } },
        { session: tx.session },
      );
    },
    async stop(tx, { workspaceId, address, from }, nowMs) {
      const state = { state: 'stopped', changed_at_ms: nowMs, question: null, stopped_from: from } as const;
      await recipients.updateOne(
        { _id: idOf(workspaceId, address), workspace_id: workspaceId },
        { $set: state, $setOnInsert: { address } },
        { session: tx.session, upsert: true },
      );
    },
    async endStop(tx, { _id, workspace_id, stopped_from: state = 'left' }, nowMs) {
      const stopped = { _id, workspace_id, state: 'stopped' } as const;
      if (state === null) return void (await recipients.deleteOne(stopped, { session: tx.session }));
      await recipients.updateOne(
        stopped,
        { $set: { state, changed_at_ms: nowMs }, $unset: { stopped_from: '' } },
        { session: tx.session },
      );
    },
    async leave(tx, workspaceId, address, nowMs) {
      const _id = idOf(workspaceId, address);
      const known = await recipients.findOne({ _id, workspace_id: workspaceId }, { session: tx.session });
      const left = { state: 'left', changed_at_ms: nowMs, question: null } as const;
      await recipients.updateOne(
        { _id, workspace_id: workspaceId },
        { $set: known?.state === 'stopped' ? { stopped_from: 'left' } : left, $setOnInsert: { address } },
        { session: tx.session, upsert: true },
      );
    },
    confirmUnknown,
  };

  async function confirmUnknown(workspaceId: string, addresses: readonly string[], nowMs: number, tx?: Transaction) {
    if (addresses.length === 0) return;
    const confirmed = { workspace_id: workspaceId, state: 'confirmed', changed_at_ms: nowMs, question: null } as const;
    const writing = recipients.bulkWrite(
      addresses.map((address) => ({
        updateOne: {
          // Only the ID, which contains the workspace: with more, the database does not retry an insert that another one overtook.
          filter: { _id: idOf(workspaceId, address) },
          update: { $setOnInsert: { address, ...confirmed } },
          upsert: true,
        },
      })),
      { ...inSession(tx), ordered: false },
    );
    await writing.catch((error: unknown) => {
      // Another control plane stored the address meanwhile. A transaction has ended with the error, so it must not go on.
      if (tx !== undefined || !isOnlyDuplicates(error)) throw error;
    });
  }
}

function isOnlyDuplicates(error: unknown): boolean {
  if (!(error instanceof MongoBulkWriteError)) return isDuplicateKey(error);
  const errors = [error.writeErrors].flat();
  return errors.length > 0 && errors.every(isDuplicateKey);
}

function idOf(workspaceId: string, address: string): string {
  return `${workspaceId}/${address}`;
}

function inSession(tx: Transaction | undefined) {
  return tx === undefined ? {} : { session: tx.session };
}
