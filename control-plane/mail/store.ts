import type { Collection, Db, Filter } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { MailDocument, Urgency } from './documents.js';

/** What the result of a claimed mail changes. */
export type MailSettlement = Partial<
  Pick<
    MailDocument,
    | 'sealed'
    | 'next_attempt_ms'
    | 'waiting'
    | 'attempts'
    | 'finished_ms'
    | 'response_status'
    | 'error'
    | 'address_refused'
    | 'remove_at'
  >
> & { state: 'pending' | 'sent' | 'failed' | 'expired' };

/** Which mails a claim may take. */
export interface ClaimOf {
  urgencies: readonly Urgency[];
  /** Only of workspaces with an id after this one; `''` for all workspaces, but not for mails without one. null: of all. */
  afterWorkspace: string | null;
  /** None of this workspace; null for no such rule. */
  withoutWorkspace: string | null;
}
/** The state of a mail. */
type MailStateRow = Pick<MailDocument, '_id' | 'state' | 'finished_ms' | 'address_refused'>;

/** The outbox of mails. Mails belong to persons, not to workspaces, and only the delivery reads them. */
export interface MailStore {
  ensureIndexes(): Promise<void>;
  insert(tx: Transaction, mail: MailDocument): Promise<void>;
  /**
   * Claims the first due mail in the order of urgency, workspace and time; null if none is due. Mails without a workspace are
   * before those with one. `of` defaults to any mail.
   */
  claim(nowMs: number, leaseMs: number, of?: ClaimOf): Promise<MailDocument | null>;
  /** Stores the result of a mail as it was read. False if it was claimed since, or is final. */
  settle(mail: MailDocument, settlement: MailSettlement): Promise<boolean>;
  /** Makes mails whose lease has ended claimable again. Returns their number. */
  reclaim(): Promise<number>;
  /** Returns pending mails that have expired. */
  expired(nowMs: number, mailsMax: number): Promise<MailDocument[]>;
  /** Returns the state of mails by their ids. */
  states(ids: readonly string[]): Promise<MailStateRow[]>;
  /** Counts the bulk mails of a workspace that are not claimed, up to `max`. */
  bulkWaiting(workspaceId: string, max: number): Promise<number>;
  /** Deletes the mails with this `withdrawn_by`, in whatever state. */
  withdraw(tx: Transaction, workspaceId: string, withdrawnBy: string): Promise<void>;
  /** Makes all mails that wait for the mail server due now. */
  serverIsBack(nowMs: number): Promise<void>;
}

const DUE = { urgency: 1, workspace_id: 1, next_attempt_ms: 1 } as const;
const ANY_MAIL: ClaimOf = { urgencies: [0, 1, 2, 3], afterWorkspace: null, withoutWorkspace: null };
const PENDING = { partialFilterExpression: { state: 'pending' } } as const;
const WAITING_FOR_SERVER = { partialFilterExpression: { state: 'pending', waiting: 'server' } } as const;
const LEASED = { partialFilterExpression: { state: 'leased' } } as const;

export function createMailStore(db: Db): MailStore {
  const mails: Collection<MailDocument> = db.collection('mails');
  return {
    async ensureIndexes() {
      await mails.createIndexes([
        // Most mails are final, and these four indexes do not contain them.
        { key: DUE, ...PENDING },
        { key: { expires_at_ms: 1 }, name: 'expiring', ...PENDING },
        { key: { next_attempt_ms: 1 }, name: 'waiting_for_server', ...WAITING_FOR_SERVER },
        { key: { lease_until: 1 }, name: 'leased', ...LEASED },
        { key: { remove_at: 1 }, expireAfterSeconds: 0 },
        { key: { mailbox: 1, kind: 1, created_at_ms: 1 } },
        { key: { withdrawn_by: 1 }, sparse: true },
      ]);
    },
    async insert(tx, mail) {
      await mails.insertOne(mail, { session: tx.session });
    },
    claim: (nowMs, leaseMs, of = ANY_MAIL) =>
      mails.findOneAndUpdate(
        // Values of `urgency`, so that the server seeks the due mails of each, and of each workspace, in the order of the index.
        {
          ...{ state: 'pending', urgency: { $in: [...of.urgencies] }, ...ofWorkspaces(of) },
          ...{ next_attempt_ms: { $lte: nowMs }, expires_at_ms: { $gt: nowMs } },
        },
        // An aggregation stage, because only a stage can use the server's time.
        [
          {
            $set: {
              state: 'leased',
              fence: { $add: ['$fence', 1] },
              attempts: { $add: ['$attempts', 1] },
              lease_until: { $add: ['$$NOW', leaseMs] },
            },
          },
        ],
        { sort: DUE, hint: DUE, returnDocument: 'after' },
      ),
    async settle({ _id, fence }, settlement) {
      // While the fence is unchanged, nobody else has claimed the mail, even if the lease has ended.
      const { matchedCount } = await mails.updateOne(
        { _id, fence, state: { $in: ['leased', 'pending'] } },
        { $set: { ...settlement, lease_until: null } },
      );
      if (matchedCount === 1) return true;
      // The answer to an earlier try was lost, and that try had stored it.
      const { state, finished_ms = null } = settlement;
      if (state === 'pending') return false;
      // Several control planes may settle an expired mail, because nobody claims it. The stored time tells which was first.
      return (await mails.countDocuments({ _id, fence, state, finished_ms }, { limit: 1 })) === 1;
    },
    async reclaim() {
      const { modifiedCount } = await mails.updateMany(
        { state: 'leased', $expr: { $lt: ['$lease_until', '$$NOW'] } },
        { $set: { state: 'pending', lease_until: null } },
      );
      return modifiedCount;
    },
    expired: (nowMs, mailsMax) =>
      mails
        .find({ state: 'pending', expires_at_ms: { $lte: nowMs } })
        .hint('expiring')
        .limit(mailsMax)
        .toArray(),
    states: (ids) =>
      mails
        .find({ _id: { $in: [...ids] } })
        .project<MailStateRow>({ state: 1, finished_ms: 1, address_refused: 1 })
        .toArray(),
    bulkWaiting: (workspaceId, max) =>
      mails.countDocuments({ state: 'pending', urgency: 3, workspace_id: workspaceId }, { limit: max }),
    async withdraw(tx, workspace_id, withdrawn_by) {
      await mails.deleteMany({ withdrawn_by, workspace_id }, { session: tx.session });
    },
    async serverIsBack(nowMs) {
      await mails.updateMany(
        { state: 'pending', waiting: 'server', next_attempt_ms: { $gt: nowMs } },
        { $set: { next_attempt_ms: nowMs } },
        { hint: 'waiting_for_server' },
      );
    },
  };
}

function ofWorkspaces({ afterWorkspace, withoutWorkspace }: ClaimOf): Filter<MailDocument> {
  if (afterWorkspace === null && withoutWorkspace === null) return {};
  return {
    workspace_id: {
      ...(afterWorkspace === null ? {} : { $gt: afterWorkspace }),
      ...(withoutWorkspace === null ? {} : { $ne: withoutWorkspace }),
    },
  };
}
