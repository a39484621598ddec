import type { Db } from 'mongodb';
import type { Transaction } from '../storage/transaction.js';
import type { RecoveryCodesDocument, SecondFactorDocument, TotpDocument } from './documents.js';

/** Everything but passkeys. Each write is conditional, so of two concurrent uses of one code, one changes nothing. */
export interface SecondFactorsStore {
  /** Resolves to null for a person who never set up anything. */
  find(userId: string): Promise<SecondFactorDocument | null>;
  /** Like `find`, as the transaction sees it. */
  findIn(tx: Transaction, userId: string): Promise<SecondFactorDocument | null>;
  /** Resolves to those of these users who have an authenticator app or a passkey. */
  withFactor(userIds: readonly string[]): Promise<ReadonlySet<string>>;
  setPending(tx: Transaction, userId: string, pending: SecondFactorDocument['pending']): Promise<void>;
  /** Makes the pending enrolment the TOTP of the person. */
  setTotp(tx: Transaction, userId: string, totp: TotpDocument | null): Promise<void>;
  /** Resolves to whether no code of this step or a later one of the same secret was accepted before. */
  acceptStep(tx: Transaction, userId: string, sealedSecret: string, step: number): Promise<boolean>;
  /** Notes a repeated code. Resolves to whether none was noted after `notSinceMs`. */
  noteRepeat(tx: Transaction, userId: string, note: { atMs: number; notSinceMs: number }): Promise<boolean>;
  setRecovery(tx: Transaction, userId: string, recovery: RecoveryCodesDocument | null): Promise<void>;
  /** Resolves to whether the code with this hash was not used yet. */
  useRecoveryCode(tx: Transaction, userId: string, hash: string): Promise<boolean>;
  setPasskeys(tx: Transaction, userId: string, passkeys: number): Promise<void>;
  /** Removes everything of the person. */
  remove(tx: Transaction, userId: string): Promise<void>;
}

export function createSecondFactorsStore(db: Db): SecondFactorsStore {
  const factors = db.collection<SecondFactorDocument>('second_factors');

  async function set(tx: Transaction, _id: string, fields: Partial<SecondFactorDocument>): Promise<void> {
    const missing = { totp: null, pending: null, recovery: null, passkeys: 0 };
    const others = Object.entries(missing).filter(([name]) => !(name in fields));
    await factors.updateOne(
      { _id },
      { $set: fields, $setOnInsert: Object.fromEntries(others) },
      { session: tx.session, upsert: true },
    );
  }

  return {
    find: (_id) => factors.findOne({ _id }),
    findIn: (tx, _id) => factors.findOne({ _id }, { session: tx.session }),
    async withFactor(userIds) {
      const has = { $or: [{ totp: { $ne: null } }, { passkeys: { $gt: 0 } }] };
      const found = await factors.find({ _id: { $in: [...userIds] }, ...has }, { projection: { _id: 1 } }).toArray();
      return new Set(found.map(({ _id }) => _id));
    },
    setPending: (tx, userId, pending) => set(tx, userId, { pending }),
    setTotp: (tx, userId, totp) => set(tx, userId, { totp, pending: null }),
    async acceptStep(tx, _id, sealedSecret, step) {
      const { matchedCount } = await factors.updateOne(
        { _id, 'totp.sealed_secret': sealedSecret, 'totp.last_step': { $lt: step } },
        { $set: { 'totp.last_step': step } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    async noteRepeat(tx, _id, { atMs, notSinceMs }) {
      const { matchedCount } = await factors.updateOne(
        { _id, totp: { $ne: null }, 'totp.repeated_at_ms': { $not: { $gt: notSinceMs } } },
        { $set: { 'totp.repeated_at_ms': atMs } },
        { session: tx.session },
      );
      return matchedCount === 1;
    },
    setRecovery: (tx, userId, recovery) => set(tx, userId, { recovery }),
    async useRecoveryCode(tx, _id, hash) {
      const { modifiedCount } = await factors.updateOne(
        { _id, 'recovery.hashes': hash },
        { $pull: { 'recovery.hashes': hash } },
        { session: tx.session },
      );
      return modifiedCount === 1;
    },
    setPasskeys: (tx, userId, passkeys) => set(tx, userId, { passkeys }),
    async remove(tx, _id) {
      await factors.deleteOne({ _id }, { session: tx.session });
    },
  };
}
