import { isContention, isMaxTimeExpired, isWriteConflict } from './transaction.js';

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
  for (const current of causesOf(error)) {
    if (ERROR_NAMES.has(current.name)) return true;
    if ('code' in current && typeof current.code === 'number' && ERROR_NUMBERS.has(current.code)) return true;
    if ('code' in current && typeof current.code === 'string' && SOCKET_CODES.has(current.code)) return true;
    if ('errorLabels' in current && Array.isArray(current.errorLabels)) {
      const labels: unknown[] = current.errorLabels;
      if (ERROR_LABELS.some((label) => labels.includes(label))) return true;
    }
  }
  return false;
}

/**
 * Returns whether the database itself is away or too slow. A locked document or a conflict with another transaction can end
 * a call for the time being as well, and says nothing about others.
 */
export function isDatabaseAway(error: unknown): boolean {
  const chain = causesOf(error);
  if (chain.some((one) => isContention(one) || isMaxTimeExpired(one) || isWriteConflict(one))) return false;
  // Calls of other systems fail with the same socket errors.
  const isOfDatabase = chain.some(({ name }) => name.startsWith('Mongo') || ERROR_NAMES.has(name));
  return isOfDatabase && isDatabaseUnavailable(error);
}

/** An error and its causes. */
function causesOf(error: unknown): Error[] {
  const chain: Error[] = [];
  let current: unknown = error;
  while (chain.length < CAUSES_MAX && current instanceof Error) {
    chain.push(current);
    // A bulk write wraps the error that ended it.
    current = current.cause ?? ('errorResponse' in current ? current.errorResponse : undefined);
  }
  return chain;
}
