/** The driver's errors for a call without an answer, and for one without a connection. */
const TIMEOUTS: ReadonlySet<string> = new Set(['MongoNetworkTimeoutError', 'MongoWaitQueueTimeoutError']);
/** MongoDB's error number for a write that a majority did not confirm in time. */
const WRITE_CONCERN_TIMEOUT = 64;

/**
 * Calls `ensureIndexes` until the indexes are built. Building one for millions of documents takes longer than a call of
 * the database may (`deadlines.ts`). MongoDB continues when such a call ends, and the next call waits for the same build.
 * A start makes more such calls at once than the pool has connections, so on a busy machine some wait too long for one.
 */
export async function untilBuilt(ensureIndexes: () => Promise<void>): Promise<void> {
  for (;;) {
    try {
      return await ensureIndexes();
    } catch (error) {
      if (!isTimeout(error)) throw error;
    }
  }
}

function isTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return TIMEOUTS.has(error.name) || ('code' in error && error.code === WRITE_CONCERN_TIMEOUT);
}
