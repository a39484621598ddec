import t from 'tap';
import { openMongo } from '../../../control-plane/storage/mongo.js';
import { isDatabaseUnavailable } from '../../../control-plane/storage/unavailable.js';
import { testDatabase } from '../../helpers/database.js';
import { waitFor } from '../../helpers/wait.js';

const CONNECTIONS_MAX = 50;
const WAIT_MS = 3_000;
/** How long each of the calls that hold a connection takes: no call that waits for their end is over before the test. */
const HELD_MS = 3_600_000;

t.test('a call waits at most 3 s for a connection of the pool', async (t) => {
  const database = await testDatabase();
  const mongo = await openMongo(database.uri);
  t.teardown(async () => {
    await mongo.close();
    await database.drop();
  });
  let inUse = 0;
  mongo.client.on('connectionCheckedOut', () => void inUse++);
  mongo.client.on('connectionCheckedIn', () => void inUse--);
  // A cursor at the end of a capped collection holds its connection until something is inserted.
  const log = await mongo.db.createCollection('log', { capped: true, size: 4_096 });
  await log.insertOne({});
  const cursors = Array.from({ length: CONNECTIONS_MAX }, () =>
    log.find({}, { tailable: true, awaitData: true, maxAwaitTimeMS: HELD_MS }),
  );
  await Promise.all(cursors.map((cursor) => cursor.next()));
  const waiting = cursors.map((cursor) => cursor.next());
  await waitFor('no free connection', 20_000, () => inUse === CONNECTIONS_MAX, 5);

  t.equal(mongo.client.options.waitQueueTimeoutMS, WAIT_MS);
  const error = await log.findOne().then(
    () => null,
    (thrown: unknown) => thrown,
  );
  t.ok(isDatabaseUnavailable(error), String(error));
  t.match(error, { name: 'MongoWaitQueueTimeoutError' }, 'the wait ended, and not one of the calls');
  t.equal(inUse, CONNECTIONS_MAX);

  // The waiting cursors end, and give their connections back.
  await database.db.command({ killCursors: 'log', cursors: cursors.map(({ id }) => id) });
  t.match(await Promise.allSettled(waiting), Array(CONNECTIONS_MAX).fill({ status: 'rejected' }));
  t.ok(await log.findOne());
  await Promise.all(cursors.map((cursor) => cursor.close()));
});
