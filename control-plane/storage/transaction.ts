import type { ClientSession, MongoClient } from 'mongodb';
import { systemClock, type Timer } from '../../kernel/clock.js';
import { TASK_TRANSACTION, type TransactionLimits } from './deadlines.js';

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

/** A transaction took too long. It may still commit, as after a lost answer to a commit. */
class TransactionTimeout extends Error {
  constructor({ transactionMs }: TransactionLimits) {
    super(`a transaction took longer than ${transactionMs} ms`);
    this.name = 'TransactionTimeout';
  }
}

/**
 * Returns a function that runs `work` in a transaction and commits with a majority write. On a write conflict `work`
 * runs again from the start, so database writes and `afterCommit` must be its only effects. The driver would repeat
 * for two minutes; after the limit the promise rejects with `TransactionTimeout`.
 */
export function createRunTransaction(
  client: MongoClient,
  limits: TransactionLimits = TASK_TRANSACTION,
): RunTransaction {
  return async (work) => {
    let effects: (() => void)[] = [];
    const deadline = startDeadline(limits);
    const running = client.withSession((session) =>
      session.withTransaction(
        async () => {
          // The driver repeats nothing after an error that is not its own.
          if (deadline.passed()) throw new TransactionTimeout(limits);
          effects = [];
          const done = await work({ session, afterCommit: (effect) => effects.push(effect) });
          if (deadline.passed()) throw new TransactionTimeout(limits);
          return done;
        },
        // The driver repeats a commit that a write concern's own limit ended, but not one that this limit ended.
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, maxCommitTimeMS: limits.commitMs },
      ),
    );
    try {
      const result = await Promise.race([running, deadline.reached]);
      for (const effect of effects) effect();
      return result;
    } finally {
      deadline.cancel();
    }
  };
}

/** Like the driver's own limits, it measures real time. `reached` rejects with `TransactionTimeout`. */
function startDeadline(limits: TransactionLimits) {
  let passed = false;
  let timer: Timer | null = null;
  const reached = new Promise<never>((_resolve, reject) => {
    timer = systemClock.after(limits.transactionMs, () => {
      passed = true;
      reject(new TransactionTimeout(limits));
    });
  });
  return { passed: () => passed, reached, cancel: () => timer?.cancel() };
}

/** MongoDB's error number for a write that a unique index refused. */
const DUPLICATE_KEY = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === DUPLICATE_KEY;
}
