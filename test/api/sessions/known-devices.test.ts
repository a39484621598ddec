import t from 'tap';
import { createDevicesStore } from '../../../control-plane/sessions/devices/store.js';
import { createRunTransaction } from '../../../control-plane/storage/transaction.js';
import { testDatabase } from '../../helpers/database.js';

const DEVICES_PER_PERSON_MAX = 100;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const devices = createDevicesStore(mongo.db);
await devices.ensureIndexes();
const runTransaction = createRunTransaction(mongo.client);

const remember = (userId: string, device: string, atMs: number) =>
  runTransaction((tx) => devices.remember(tx, userId, { device, network: '192.0.2.1' }, atMs));

t.test('only the latest devices of a person are remembered', async (t) => {
  const startMs = Date.now();
  t.equal(await remember('usr_b', 'Firefox', startMs), 'first');
  for (let index = 0; index < DEVICES_PER_PERSON_MAX + 5; index++) {
    t.equal(await remember('usr_a', `program${index}`, startMs + index), index === 0 ? 'first' : 'new');
  }
  const stored = mongo.db.collection('known_devices');
  t.equal(await stored.countDocuments({ user_id: 'usr_a' }), DEVICES_PER_PERSON_MAX);
  t.equal(await remember('usr_a', `program${DEVICES_PER_PERSON_MAX + 4}`, startMs), 'known', 'the latest');
  t.equal(await remember('usr_a', 'program0', startMs + 1_000), 'new', 'the oldest is forgotten');
  t.equal(await stored.countDocuments({ user_id: 'usr_b' }), 1, 'nobody else is affected');
});
