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
  /** Times that it began again, because others wrote the same documents at the same time. */
  readonly conflicts: number;
  /** Not shown in logs. */
  readonly #ended: Promise<void>;

  constructor(ms: number, conflicts: number, ended: Promise<void>) {
    const tries = conflicts === 0 ? '' : `, with ${conflicts} write conflicts`;
    super(`a transaction took longer than ${ms} ms${tries}`);
    this.name = 'TransactionTimeout';
    this.conflicts = conflicts;
    this.#ended = ended;
  }

  /** Resolves once nothing of it is under way. Never rejects. */
  whenEnded(): Promise<void> {
    return this.#ended;
  }
}

/**
 * Resolves once nothing is under way of a transaction that failed. One that took too long may still be waiting for a
 * statement or its commit, and keeps what it wrote locked until then.
 */
export async function endOfTransaction(error: unknown): Promise<void> {
  if (error instanceof TransactionTimeout) await error.whenEnded();
}

/** Returns whether a transaction failed because too many others wrote the same, and not because the database is slow. */
export function isContention(error: unknown): boolean {
  return error instanceof TransactionTimeout && error.conflicts > 0;
}

/** Returns whether a transaction failed because the database is slow, and not because others wrote the same. */
export function isSlowness(error: unknown): boolean {
  return error instanceof TransactionTimeout && error.conflicts === 0;
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
    let conflicts = 0;
    let ended = Promise.resolve();
    const timeout = (ms = limits.transactionMs) => new TransactionTimeout(ms, conflicts, ended);
    const deadline = startDeadline(limits, timeout);
    const { lock } = limits;
    const isLocked = () => lock !== undefined && conflicts >= lock.conflicts && deadline.tookMs() >= lock.afterMs;
    const running = client.withSession((session) =>
      session.withTransaction(
        async () => {
          // The driver repeats nothing after an error that is not its own.
          if (deadline.passed()) throw timeout();
          if (isLocked()) throw timeout(Math.round(deadline.tookMs()));
          effects = [];
          const tx: Transaction = {
            // After the limit it begins no further statement, and is aborted.
            get session() {
              if (deadline.passed()) throw timeout();
              return session;
            },
            afterCommit: (effect) => effects.push(effect),
          };
          const done = await work(tx).catch((error: unknown) => {
            if (isWriteConflict(error)) conflicts += 1;
            throw error;
          });
          if (deadline.passed()) throw timeout();
          return done;
        },
        // The driver repeats a commit that a write concern's own limit ended, but not one that this limit ended.
        { readConcern: { level: 'snapshot' }, writeConcern: { w: 'majority' }, maxCommitTimeMS: limits.commitMs },
      ),
    );
    ended = running.then(
      () => {},
      () => {},
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
function startDeadline(limits: TransactionLimits, timeout: () => TransactionTimeout) {
  const startedMs = systemClock.monotonic();
  let passed = false;
  let timer: Timer | null = null;
  const reached = new Promise<never>((_resolve, reject) => {
    timer = systemClock.after(limits.transactionMs, () => {
      passed = true;
      reject(timeout());
    });
  });
  const tookMs = () => systemClock.monotonic() - startedMs;
  return { passed: () => passed, tookMs, reached, cancel: () => timer?.cancel() };
}

/** MongoDB's error number for a write that a unique index refused. */
const DUPLICATE_KEY = 11_000;

export function isDuplicateKey(error: unknown): boolean {
  return hasNumber(error, DUPLICATE_KEY);
}

/** MongoDB's error number for a command that took longer than its `maxTimeMS`. */
const MAX_TIME_EXPIRED = 50;

export function isMaxTimeExpired(error: unknown): boolean {
  return hasNumber(error, MAX_TIME_EXPIRED);
}

/** MongoDB's error number for a document that another transaction has written since this one began. */
const WRITE_CONFLICT = 112;

export function isWriteConflict(error: unknown): boolean {
  return hasNumber(error, WRITE_CONFLICT);
}

function hasNumber(error: unknown, code: number): boolean {
  return typeof error === 'object' && error !== null && 'code' in error && error.code === code;
}
