import t from 'tap';
import { createDatabaseClock } from '../../../control-plane/storage/database-clock.js';
import { testClock } from '../../helpers/clock.js';

const MINUTE_MS = 60_000;

t.test('it shows the time of the database, and goes on between measurements', async (t) => {
  const own = testClock();
  const databaseMs = own.now() - 10 * MINUTE_MS;
  const clock = createDatabaseClock(own);
  clock.measured(10 * MINUTE_MS);
  t.equal(clock.now(), databaseMs);
  await own.advance(20_000);
  t.equal(clock.now(), databaseMs + 20_000);
  clock.measured(10 * MINUTE_MS + 5);
  t.equal(clock.now(), databaseMs + 19_995, 'a drift is corrected');
});

t.test('a wall clock that is set back changes nothing; the suspension of a machine counts', (t) => {
  const own = testClock();
  const databaseMs = own.now();
  const clock = createDatabaseClock(own);
  own.jump(-10 * MINUTE_MS);
  t.equal(clock.now(), databaseMs);
  own.stall(1_000.4);
  t.equal(clock.now(), databaseMs + 1_000, 'whole milliseconds');
  clock.measured(-10 * MINUTE_MS);
  own.jump(MINUTE_MS);
  t.equal(clock.now(), databaseMs + 1_000 + MINUTE_MS, 'the monotonic clock stands still meanwhile');
  t.end();
});
