import t from 'tap';
import { createLeaseStore } from '../../../control-plane/storage/leases/lease-store.js';
import { testDatabase } from '../../helpers/database.js';

const LEASE_MS = 10_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const leases = createLeaseStore(mongo.db);
const documents = mongo.db.collection<{ _id: string; until: Date }>('leases');

t.test('one owner at a time has a lease, and the next one has a higher fence', async (t) => {
  t.equal(await leases.acquire('x', 'a', LEASE_MS), 1);
  t.equal(await leases.acquire('x', 'b', LEASE_MS), null);
  t.equal(await leases.acquire('x', 'a', LEASE_MS), 1, 'renewed');
  await leases.release('x', 'a');
  t.equal(await leases.acquire('x', 'b', LEASE_MS), 2);
});

t.test('the lease of an owner that is gone does not last until the clock of the database is right again', async (t) => {
  t.equal(await leases.acquire('y', 'gone', LEASE_MS), 1);
  const lasts = (ms: number) => documents.updateOne({ _id: 'y' }, [{ $set: { until: { $add: ['$$NOW', ms] } } }]);
  // As after the clock was set back by this time.
  await lasts(LEASE_MS);
  t.equal(await leases.acquire('y', 'b', LEASE_MS), null, 'clocks of members differ a little');
  await lasts(3_600_000);
  t.equal(await leases.acquire('y', 'b', LEASE_MS), 2);
  t.equal(await leases.acquire('y', 'c', LEASE_MS), null, 'and the new owner has it for the usual time');
  await lasts(3_600_000);
  t.equal(await leases.acquire('y', 'b', LEASE_MS), 2, 'an owner that is alive keeps it');
});
