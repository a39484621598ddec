import { randomBytes } from 'node:crypto';
import { MongoServerError } from 'mongodb';
import { type Mongo, openMongo } from '../../control-plane/storage/mongo.js';
import { deadlineMs } from './deadline.js';

/** scripts/test starts one replica set for all tests. */
const uri = process.env['PICKET_TEST_MONGODB_URI'];

/** A process that is killed in a transaction leaves locks for a minute. Its database is removed with the mongod. */
const DROP_MS_MAX = 1_000;
const MAX_TIME_EXPIRED = 50;

/** Returns the address of a database through a proxy on this port, from which the driver must not learn the real one. */
export function throughProxy(uri: string, port: number): string {
  const url = new URL(uri);
  url.port = String(port);
  url.searchParams.delete('replicaSet');
  url.searchParams.set('directConnection', 'true');
  return url.href;
}

/** Returns a new database on the real mongod of the test run. `drop` removes it. */
export async function testDatabase(): Promise<Mongo & { uri: string; drop(): Promise<void> }> {
  if (uri === undefined)
    throw new Error('PICKET_TEST_MONGODB_URI is not set: run scripts/test, or start a replica set');
  const name = `picket_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(uri);
  url.pathname = `/${name}`;
  const mongo = await openMongo(url.href, { patience: deadlineMs(1) });
  return {
    ...mongo,
    uri: url.href,
    async drop() {
      await mongo.db.dropDatabase({ maxTimeMS: DROP_MS_MAX }).catch((error: unknown) => {
        if (!(error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED)) throw error;
      });
      await mongo.close();
    },
  };
}
