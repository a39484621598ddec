import { MongoClient } from 'mongodb';

/**
 * Locks a monitor as a control plane does that is killed between a write of its transaction and the commit: nobody
 * continues or aborts it. The returned function, which is idempotent, does what the database does after
 * `transactionLifetimeLimitSeconds`.
 */
export const lockMonitor = (uri: string, id: string) => lockDocument(uri, 'monitors', id);

/** Locks a server in the same way. */
export const lockServer = (uri: string, id: string) => lockDocument(uri, 'servers', id);

/** Locks a join token, by the hash of its secret, in the same way. */
export const lockJoinToken = (uri: string, id: string) => lockDocument(uri, 'join_tokens', id);

/** Locks any document in the same way. */
export async function lockDocument(uri: string, collection: string, id: string): Promise<() => Promise<void>> {
  const client = new MongoClient(uri);
  const session = client.startSession();
  session.startTransaction();
  const documents = client.db().collection<{ _id: string; locked: boolean }>(collection);
  // It conflicts with everything that arrives for the document at the same moment.
  for (;;) {
    try {
      await documents.updateOne({ _id: id }, { $set: { locked: true } }, { session });
      break;
    } catch {
      await session.abortTransaction();
      session.startTransaction();
    }
  }
  return async () => {
    if (session.inTransaction()) await session.abortTransaction();
    await client.close();
  };
}
