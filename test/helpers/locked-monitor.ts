import { randomInt } from 'node:crypto';
import { type ClientSession, type Document, type Filter, MongoClient, MongoError } from 'mongodb';
import type { Mongo } from '../../control-plane/storage/mongo.js';

/** The limit of the mongod of the test run, which `supervisor/mongod/mongod.ts` sets. */
const TRANSACTION_S_MAX = 35;
const HOUR_S = 3_600;

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
export const lockDocument = (uri: string, collection: string, id: string) =>
  lockDocuments<{ _id: string }>(uri, collection, { _id: id });

/**
 * Locks all documents that match, in the same way. The database keeps the lock for at least an hour, so whatever ends
 * meanwhile has not waited for it, however slow the machine is.
 */
export async function lockDocuments<T extends Document>(
  uri: string,
  collection: string,
  filter: Filter<T>,
): Promise<() => Promise<void>> {
  const client = new MongoClient(uri);
  const session = client.startSession();
  await lasting(client, session, async () => {
    const change: Document = { $set: { locked: true } };
    await client.db().collection<T>(collection).updateMany(filter, change, { session });
  });
  return async () => {
    if (session.inTransaction()) await session.abortTransaction();
    await client.close();
  };
}

/**
 * Begins a transaction that the database lets live for an hour. The limit is one of the whole database, read when a
 * transaction begins, and is set back afterwards. When another test has set it meanwhile, or `write` conflicts with
 * something that arrives at the same moment, all of it is repeated.
 */
async function lasting(client: MongoClient, session: ClientSession, write: () => Promise<void>): Promise<void> {
  const name = 'transactionLifetimeLimitSeconds';
  const limit = (seconds: number) => client.db('admin').command({ setParameter: 1, [name]: seconds });
  const current = async () => (await client.db('admin').command({ getParameter: 1, [name]: 1 }))[name];
  for (;;) {
    // A value that no other test sets.
    const own = HOUR_S + randomInt(1_000_000);
    await limit(own);
    session.startTransaction();
    const isWritten = await write().then(() => true, failedForNow);
    const isLasting = (await current()) === own;
    await limit(TRANSACTION_S_MAX);
    if (isWritten && isLasting) return;
    await session.abortTransaction();
  }
}

/** Returns false for an error after which the transaction can be repeated; throws any other. */
function failedForNow(error: unknown): false {
  if (error instanceof MongoError && error.hasErrorLabel('TransientTransactionError')) return false;
  throw error;
}

/**
 * Opens a database whose calls have no time limits but those that the product gives them. The limits of the connections
 * of `openMongo` would end a wait for a locked document within a minute.
 */
export async function openWithoutLimits(uri: string): Promise<Mongo> {
  const client = new MongoClient(uri, {
    ...{ writeConcern: { w: 'majority' }, readConcern: { level: 'majority' }, monitorCommands: true },
    ignoreUndefined: false,
  });
  await client.connect();
  return { client, db: client.db(), close: () => client.close() };
}
