/** Names of the driver's errors while no primary is reachable or the primary steps down. */
const ERROR_NAMES: ReadonlySet<string> = new Set([
  'MongoServerSelectionError',
  'MongoNetworkError',
  'MongoNetworkTimeoutError',
  'MongoNotConnectedError',
  'MongoTopologyClosedError',
  'MongoPoolClearedError',
  'MongoPoolClosedError',
  'MongoWaitQueueTimeoutError',
  'MongoClientClosedError',
  'MongoServerClosedError',
  'MongoOperationTimeoutError',
  'MongoStalePrimaryError',
  'MongoExpiredSessionError',
  'MongoSystemError',
  'TransactionTimeout',
  'PoolClearedOnNetworkError',
]);

/**
 * Numbers of the server's errors for the same: host unreachable or not found, network errors and timeouts, shutdown,
 * step-down, not primary, interrupted, and a majority that does not answer.
 */
const ERROR_NUMBERS: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** Socket errors when the server has just stopped. The driver passes some of them on unchanged. */
const SOCKET_CODES: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTCONN']);

/** Labels of a write that the server may or may not have done. The client has to retry. */
const ERROR_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'];

const CAUSES_MAX = 8;

/**
 * Returns whether an error, or one of its causes, means that the database is unavailable, and not that it refused
 * something.
 */
export function isDatabaseUnavailable(error: unknown): boolean {
  let current: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && current instanceof Error; depth++) {
    if (ERROR_NAMES.has(current.name)) return true;
    if ('code' in current && typeof current.code === 'number' && ERROR_NUMBERS.has(current.code)) return true;
    if ('code' in current && typeof current.code === 'string' && SOCKET_CODES.has(current.code)) return true;
    if ('errorLabels' in current && Array.isArray(current.errorLabels)) {
      const labels: unknown[] = current.errorLabels;
      if (ERROR_LABELS.some((label) => labels.includes(label))) return true;
    }
    // A bulk write wraps the error that ended it.
    current = current.cause ?? ('errorResponse' in current ? current.errorResponse : undefined);
  }
  return false;
}
