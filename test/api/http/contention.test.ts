import t from 'tap';
import { readRoute } from '../../../control-plane/http/route.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { startApp } from '../../helpers/app.js';
import { testDatabase } from '../../helpers/database.js';

const mongo = await testDatabase();
const things = mongo.db.collection<{ _id: string; count: number }>('things');
const runTransaction = createRunTransaction(mongo.client, { transactionMs: 1_000, commitMs: 1_000 });
const app = await startApp({
  mongo,
  routes: [
    readRoute({
      method: 'POST',
      path: '/v1/things',
      access: 'any',
      tag: 'Things',
      summary: 'Change the thing',
      replies: { 204: null },
      async handle() {
        await runTransaction((tx) => things.updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { session: tx.session }));
        return { status: 204 };
      },
    }),
  ],
});
t.teardown(async () => {
  await app.close();
  await mongo.drop();
});

t.test('what others keep changing is not reported as an outage of the database', async (t) => {
  await things.insertOne({ _id: 'one', count: 0 });
  const session = mongo.client.startSession();
  session.startTransaction();
  await things.updateOne({ _id: 'one' }, { $inc: { count: 1 } }, { session });
  const refused = await app.request('POST', '/v1/things');
  t.match(refused, { status: 503, body: { code: 'unavailable', detail: /^Too many requests changed the same/ } });
  t.equal(refused.headers.get('retry-after'), '2');
  await session.abortTransaction();
  await session.endSession();
  t.equal((await app.request('POST', '/v1/things')).status, 204);
});
