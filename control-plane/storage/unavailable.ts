/** What the driver throws while no primary can be reached or while it steps down. */
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
  'PoolClearedOnNetworkError',
]);

/**
 * Server error numbers of the same: host unreachable or not found, network and time limits, shutdown, step-down,
 * not primary, interrupted, and a majority that does not answer.
 */
const ERROR_NUMBERS: ReadonlySet<number> = new Set([
  6, 7, 50, 64, 89, 91, 134, 189, 262, 9001, 10_058, 10_107, 11_600, 11_602, 13_435, 13_436,
]);

/** What a socket says when the server has gone in that moment: the driver lets some of these through as they are. */
const SOCKET_CODES: ReadonlySet<string> = new Set(['EPIPE', 'ECONNRESET', 'ECONNREFUSED', 'ETIMEDOUT', 'ENOTCONN']);

/** Labels of a write that the server may or may not have done: the client is told to try again. */
const ERROR_LABELS = ['RetryableWriteError', 'TransientTransactionError', 'UnknownTransactionCommitResult'];

const CAUSES_MAX = 8;

/** Whether the database is away, as opposed to having refused something. Looks through `cause`. */
export function isDatabaseUnavailable(error: unknown): boolean {
  let link: unknown = error;
  for (let depth = 0; depth < CAUSES_MAX && link instanceof Error; depth++) {
    if (ERROR_NAMES.has(link.name)) return true;
    if ('code' in link && typeof link.code === 'number' && ERROR_NUMBERS.has(link.code)) return true;
    if ('code' in link && typeof link.code === 'string' && SOCKET_CODES.has(link.code)) return true;
    if ('errorLabels' in link && Array.isArray(link.errorLabels)) {
      const labels: unknown[] = link.errorLabels;
      if (ERROR_LABELS.some((label) => labels.includes(label))) return true;
    }
    link = link.cause;
  }
  return false;
}
