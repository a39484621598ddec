import type { ClientSession, MongoClient } from 'mongodb';

/** A running transaction. Stores take it as an argument, so a write outside of one does not compile. */
export interface Transaction {
  readonly session: ClientSession;
  /** Runs once the transaction is committed, never when it is not. For waking others: nothing may depend on it. */
  afterCommit(effect: () => void): void;
}

export type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Commits with a majority write. On a write conflict `work` runs again from the start, so it must be free of
 * effects other than database writes and `afterCommit`.
 */
export function createRunTransaction(client: MongoClient): RunTransaction {
  return async (work) => {
    let effects: (() => void)[] = [];
    const result = await client.withSession((session) =>
      session.withTransaction(
        async () => {
          effects = [];
          return work({ session, afterCommit: (effect) => effects.push(effect) });
        },
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, maxCommitTimeMS: 10_000 },
      ),
    );
    for (const effect of effects) effect();
    return result;
  };
}

/** MongoDB's error number of a unique index that refused a write. */
const DUPLICATE_KEY = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === DUPLICATE_KEY;
}
