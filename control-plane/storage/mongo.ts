import { type Db, MongoClient } from 'mongodb';
import { CONNECT_MS, HEARTBEAT_MS, MAJORITY_MS, POOL_WAIT_MS, SERVER_SELECTION_MS, SILENCE_MS } from './deadlines.js';

export interface Mongo {
  client: MongoClient;
  db: Db;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 50;

/**
 * Opens the database. Reads and writes use the majority concern: what was sent to a client or acknowledged to a probe
 * survives the loss of a replica. Every call ends, see `deadlines.ts`. Throws when no server answers. `patience` multiplies how
 * long a call waits for a server and a connection: no client waits for a test, and its machine may be busy.
 */
export async function openMongo(uri: string, { patience = 1 } = {}): Promise<Mongo> {
  const client = new MongoClient(uri, {
    appName: 'picket',
    writeConcern: { w: 'majority', wtimeoutMS: MAJORITY_MS },
    readConcern: { level: 'majority' },
    retryWrites: true,
    serverSelectionTimeoutMS: patience * SERVER_SELECTION_MS,
    heartbeatFrequencyMS: HEARTBEAT_MS,
    connectTimeoutMS: patience * CONNECT_MS,
    socketTimeoutMS: SILENCE_MS,
    waitQueueTimeoutMS: patience * POOL_WAIT_MS,
    maxPoolSize: CONNECTIONS_MAX,
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
