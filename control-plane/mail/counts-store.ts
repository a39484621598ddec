import type { Collection, Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MailDocument } from './documents.js';

/** Counts the mails of the outbox; `MailStore` has the indexes for it. */
export interface MailCountsStore {
  /** Counts the mails of a kind that were written for a mailbox since then, up to `max`; with `causedBy`, those that it caused. */
  countSince(
    tx: Transaction,
    about: { mailbox: string | undefined; kind: string; sinceMs: number; causedBy?: string },
    max: number,
  ): Promise<number>;
  /** Returns how many mails are not final yet, at most `mailsMax`, and when the oldest of them was written. */
  waiting(mailsMax: number): Promise<{ mails: number; oldestMs: number | null }>;
}

export function createMailCountsStore(db: Db): MailCountsStore {
  const mails: Collection<MailDocument> = db.collection('mails');
  return {
    countSince(tx, { mailbox = '', kind, sinceMs, causedBy }, max) {
      const ofOne = causedBy === undefined ? {} : { caused_by: causedBy };
      const about = { mailbox, kind, created_at_ms: { $gt: sinceMs }, ...ofOne };
      return mails.countDocuments(about, { session: tx.session, limit: max });
    },
    async waiting(mailsMax) {
      const [found] = await mails
        .aggregate<{ mails: number; oldestMs: number }>([
          // Each names the key of an index too, because the database uses no index without a condition on its first key.
          { $match: { state: 'pending', expires_at_ms: { $gt: 0 } } },
          {
            $unionWith: {
              coll: 'mails',
              pipeline: [{ $match: { state: 'leased', lease_until: { $gt: new Date(0) } } }],
            },
          },
          { $limit: mailsMax },
          { $group: { _id: null, mails: { $sum: 1 }, oldestMs: { $min: '$created_at_ms' } } },
        ])
        .toArray();
      return found ?? { mails: 0, oldestMs: null };
    },
  };
}
