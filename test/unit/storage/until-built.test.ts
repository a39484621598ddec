import { MongoClient } from 'mongodb';
import t from 'tap';
import { untilBuilt } from '../../../control-plane/storage/until-built.js';
import { testDatabase } from '../../helpers/database.js';
import { waitFor } from '../../helpers/wait.js';

/** Nothing that the tests let go on in time waits so long. */
const CALL_MS_MAX = 100;

t.test('an index that takes longer to build than a call may take is waited for', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const rows = mongo.db.collection('rows');
  await rows.insertMany(Array.from({ length: 1_000 }, (_, n) => ({ n, text: `${n}`.padStart(60, 'x') })));
  const hasty = await new MongoClient(mongo.uri, { socketTimeoutMS: CALL_MS_MAX }).connect();
  t.teardown(() => hasty.close());
  // The build cannot end before a transaction that has written to the collection.
  const session = mongo.client.startSession();
  t.teardown(() => session.endSession());
  session.startTransaction();
  await rows.insertOne({ n: -1 }, { session });
  let calls = 0;
  await untilBuilt(async () => {
    calls++;
    if (calls === 2) await session.abortTransaction();
    const client = calls === 1 ? hasty : mongo.client;
    await client.db(mongo.db.databaseName).collection('rows').createIndex({ text: 1, n: 1 });
  });
  t.equal(calls, 2);
  t.ok(await rows.indexExists('text_1_n_1'));
  const found = await rows
    .find({ text: '7'.padStart(60, 'x') })
    .hint('text_1_n_1')
    .toArray();
  t.match(found, [{ n: 7 }], 'and can be used');
});

t.test('an index whose call finds no free connection in time is waited for', async (t) => {
  const mongo = await testDatabase();
  t.teardown(() => mongo.drop());
  const log = await mongo.db.createCollection('log', { capped: true, size: 4_096 });
  await log.insertOne({});
  const options = { maxPoolSize: 1, waitQueueTimeoutMS: CALL_MS_MAX, monitorCommands: true };
  const client = await new MongoClient(mongo.uri, options).connect();
  t.teardown(() => client.close());
  const db = client.db(mongo.db.databaseName);
  // Opening the connection may take longer than a call may wait for one.
  await waitFor('the only connection', 20_000, () => db.command({ ping: 1 }));
  // A cursor at the end of a capped collection holds the only connection until something is inserted.
  const cursor = db.collection('log').find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: 3_600_000 });
  t.teardown(() => cursor.close());
  await cursor.next();
  const held = new Promise((resolve) => {
    client.on('commandStarted', ({ commandName }) => commandName === 'getMore' && resolve(commandName));
  });
  const waiting = cursor.next();
  await held;
  let calls = 0;
  await untilBuilt(async () => {
    calls++;
    if (calls === 2) await log.insertOne({});
    if (calls === 2) await waiting;
    await db.collection('rows').createIndex({ n: 1 });
  });
  t.equal(calls, 2);
  t.ok(await mongo.db.collection('rows').indexExists('n_1'));
});

t.test('any other failure ends the start', async (t) => {
  await t.rejects(
    untilBuilt(async () => {
      throw new Error('no right to create an index');
    }),
    /no right/,
  );
});
