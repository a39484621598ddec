import type { ClientSession, MongoClient } from 'mongodb';

/** A running transaction. Stores require it as an argument, so a write outside a transaction does not compile. */
export interface Transaction {
  readonly session: ClientSession;
  /**
   * Runs `effect` after the commit, and never without one. A crash can skip it, so nothing may depend on it: use it to
   * wake others.
   */
  afterCommit(effect: () => void): void;
}

export type RunTransaction = <T>(work: (tx: Transaction) => Promise<T>) => Promise<T>;

/**
 * Returns a function that runs `work` in a transaction and commits with a majority write. On a write conflict `work`
 * runs again from the start, so database writes and `afterCommit` must be its only effects.
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

/** MongoDB's error number for a write that a unique index refused. */
const DUPLICATE_KEY = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === DUPLICATE_KEY;
}
