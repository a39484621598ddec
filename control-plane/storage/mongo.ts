import { type Db, MongoClient } from 'mongodb';

export interface Mongo {
  client: MongoClient;
  db: Db;
  close(): Promise<void>;
}

/** How long a request waits for a primary before it answers 503. An election usually ends sooner. */
const SERVER_SELECTION_MS = 5_000;

/**
 * Opens the database. Reads and writes use the majority concern: what was sent to a client or acknowledged to a probe
 * survives the loss of a replica. Throws when no server answers.
 */
export async function openMongo(uri: string): Promise<Mongo> {
  const client = new MongoClient(uri, {
    appName: 'picket',
    writeConcern: { w: 'majority' },
    readConcern: { level: 'majority' },
    retryWrites: true,
    serverSelectionTimeoutMS: SERVER_SELECTION_MS,
    maxPoolSize: 50,
    ignoreUndefined: false,
  });
  await client.connect();
  const fromUri = client.options.dbName;
  return {
    client,
    db: client.db(fromUri === 'test' ? 'picket' : fromUri),
    close: () => client.close(),
  };
}
