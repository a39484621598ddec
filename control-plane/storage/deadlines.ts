/**
 * How long a call of the database may take. The driver's own `timeoutMS` has no effect in the version that Picket uses,
 * so each way in which a database can hang has a limit of its own. While a majority hangs or is missing, a request is
 * answered 503 within 10 s; when the primary itself is frozen, within 15 s, because that has to be found out first.
 */

/** No member is a primary. An election without a crash ends sooner. */
export const SERVER_SELECTION_MS = 4_000;

/** Every connection of the pool is in use. */
export const POOL_WAIT_MS = 3_000;

/** A majority of the members does not confirm a write. The write may still take effect later. */
export const MAJORITY_MS = 4_000;

/** The limits of a transaction with its repetitions after conflicts and elections, and of one try to commit it. */
export interface TransactionLimits {
  transactionMs: number;
  commitMs: number;
  /**
   * A transaction that began again so often because of write conflicts, in so much time, most likely waits for one that
   * is dead: it ends early. On a slow database it takes longer to begin again so often.
   */
  lock?: { conflicts: number; afterMs: number };
}

/** A client waits for the transaction of a request. */
export const REQUEST_TRANSACTION: TransactionLimits = { transactionMs: 6_000, commitMs: MAJORITY_MS };

/**
 * A node waits for its enrolment, and its connection ends after 10 s. Only one that the database has no time for before that
 * fails: it may still be stored later, and then its join token is used up without a credential.
 */
export const ENROLMENT_TRANSACTION: TransactionLimits = { transactionMs: 9_000, commitMs: 8_000 };

/** Nobody waits for the transaction of a task, which the task repeats if it fails, so it may be slow under load. */
export const TASK_TRANSACTION: TransactionLimits = { transactionMs: 30_000, commitMs: 10_000 };

/**
 * The transaction of a verdict may be as slow as that of a task. If a monitor is locked by a dead process, it ends early:
 * the group is divided, so that the other monitors go on.
 */
export const VERDICT_TRANSACTION: TransactionLimits = { ...TASK_TRANSACTION, lock: { conflicts: 4, afterMs: 5_000 } };

/** A member is frozen or unreachable: it is found out within the sum of these two, and its calls end. */
export const HEARTBEAT_MS = 2_000;
export const CONNECT_MS = 3_000;

/**
 * A member that is otherwise well does not answer one command, or its connection was silently dropped. Far above what a
 * command takes under load, because a command that is repeated too early adds to the load.
 */
export const SILENCE_MS = 30_000;
