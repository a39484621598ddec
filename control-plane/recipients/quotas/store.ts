import type { Db } from 'mongodb';
import type { Transaction } from '../../storage/transaction.js';
import type { RecipientQuotaDocument } from '../documents.js';

const DAY_MS = 86_400_000;

/** What mails are counted by: their kind, and the person, workspace, address, page or network. */
export interface QuotaSubject {
  kind: 'question' | 'invitation' | 'test' | 'address_change' | 'subscription';
  /** `sender`: of one person, or of Picket for a workspace, to one address. `page`: of a status page. */
  of: 'person' | 'workspace' | 'address' | 'sender' | 'page' | 'network';
  id: string;
}

/** Counts mails by day (UTC). */
export interface RecipientQuotasStore {
  ensureIndexes(): Promise<void>;
  /**
   * Adds to the mails of the day and resolves to their number. Two transactions at once count one after the other, because
   * both write the same document.
   */
  add(tx: Transaction, subject: QuotaSubject, nowMs: number, mails: number): Promise<number>;
  /** Resolves to the mails of the day. */
  used(tx: Transaction, subject: QuotaSubject, nowMs: number): Promise<number>;
}

export function createRecipientQuotasStore(db: Db): RecipientQuotasStore {
  const quotas = db.collection<RecipientQuotaDocument>('recipient_quotas');
  return {
    async ensureIndexes() {
      await quotas.createIndex({ remove_at: 1 }, { expireAfterSeconds: 0 });
    },
    async add(tx, subject, nowMs, mails) {
      const found = await quotas.findOneAndUpdate(
        { _id: idOf(subject, nowMs) },
        { $inc: { mails }, $setOnInsert: { remove_at: new Date(nowMs + 2 * DAY_MS) } },
        { session: tx.session, upsert: true, returnDocument: 'after' },
      );
      return found?.mails ?? mails;
    },
    async used(tx, subject, nowMs) {
      return (await quotas.findOne({ _id: idOf(subject, nowMs) }, { session: tx.session }))?.mails ?? 0;
    },
  };
}

function idOf({ kind, of, id }: QuotaSubject, nowMs: number): string {
  return `${kind}/${of}/${id}/${Math.floor(nowMs / DAY_MS)}`;
}
