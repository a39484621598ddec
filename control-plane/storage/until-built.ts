/** MongoDB's error number for a write that a majority did not confirm in time. */
const WRITE_CONCERN_TIMEOUT = 64;

/**
 * Calls `ensureIndexes` until the indexes are built. Building one for millions of documents takes longer than a call of
 * the database may (`deadlines.ts`). MongoDB continues when such a call ends, and the next call waits for the same build.
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
  return error.name === 'MongoNetworkTimeoutError' || ('code' in error && error.code === WRITE_CONCERN_TIMEOUT);
}
