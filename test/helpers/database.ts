import { randomBytes } from 'node:crypto';
import { type Mongo, openMongo } from '../../control-plane/storage/mongo.js';

/** `scripts/test` starts one replica set for all tests and names it here. */
const uri = process.env['PICKET_TEST_MONGODB_URI'];

/** A database of its own on the test run's real mongod; `drop` removes it. */
export async function testDatabase(): Promise<Mongo & { uri: string; drop(): Promise<void> }> {
  if (uri === undefined)
    throw new Error('PICKET_TEST_MONGODB_URI is not set: run scripts/test, or start a replica set');
  const name = `picket_test_${randomBytes(6).toString('hex')}`;
  const url = new URL(uri);
  url.pathname = `/${name}`;
  const mongo = await openMongo(url.href);
  return {
    ...mongo,
    uri: url.href,
    async drop() {
      await mongo.db.dropDatabase();
      await mongo.close();
    },
  };
}
