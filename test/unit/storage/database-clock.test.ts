import t from 'tap';
import { createDatabaseClock } from '../../../control-plane/storage/clock/database-clock.js';
import { testClock } from '../../helpers/clock.js';

const MINUTE_MS = 60_000;

t.test('the clock shows the time of the database and advances between measurements', async (t) => {
  const own = testClock();
  const databaseMs = own.now() - 10 * MINUTE_MS;
  const clock = createDatabaseClock(own);
  clock.measured({ offsetMs: 10 * MINUTE_MS, errorMs: 5 });
  t.equal(clock.now(), databaseMs);
  await own.advance(20_000);
  t.equal(clock.now(), databaseMs + 20_000);
  clock.measured({ offsetMs: 10 * MINUTE_MS + 400, errorMs: 5 });
  t.equal(clock.now(), databaseMs + 20_000, 'the time does not change at each measurement');
  clock.measured({ offsetMs: 10 * MINUTE_MS + 2_000, errorMs: 1_600 });
  t.equal(clock.now(), databaseMs + 20_000, 'nor with a slow answer');
  clock.measured({ offsetMs: 10 * MINUTE_MS + 600, errorMs: 5 });
  t.equal(clock.now(), databaseMs + 19_400, 'a drift is corrected');
  await own.advance(1_000);
  own.jump(-10 * MINUTE_MS);
  clock.measured({ offsetMs: 300, errorMs: 5 });
  t.equal(clock.now(), own.now(), 'a clock that is about right is not corrected');
});

t.test('the clock ignores a wall clock that is set back, and includes the time of a suspension', (t) => {
  const own = testClock();
  const databaseMs = own.now();
  const clock = createDatabaseClock(own);
  t.equal(clock.mustMeasure(), false);
  own.jump(-10 * MINUTE_MS);
  t.equal(clock.now(), databaseMs);
  t.equal(clock.mustMeasure(), true);
  own.stall(1_000.4);
  t.equal(clock.now(), databaseMs + 1_000, 'whole milliseconds');
  clock.measured({ offsetMs: -10 * MINUTE_MS, errorMs: 5 });
  t.equal(clock.mustMeasure(), false);
  own.jump(MINUTE_MS);
  t.equal(clock.now(), databaseMs + 1_000 + MINUTE_MS, 'the monotonic clock stands still meanwhile');
  t.end();
});

t.test('a slow measurement does not discard an earlier offset', (t) => {
  const own = testClock();
  const clock = createDatabaseClock(own);
  clock.measured({ offsetMs: -1_200, errorMs: 5 });
  clock.measured({ offsetMs: -1_100, errorMs: 750 });
  t.equal(clock.now(), own.now() + 1_200);
  t.end();
});

t.test('the clock reports for a minute by how much it was set back', async (t) => {
  const own = testClock();
  const clock = createDatabaseClock(own);
  clock.measured({ offsetMs: -60_000, errorMs: 5 });
  t.equal(clock.setBackMs(), 0, 'not when it is set forward');
  clock.measured({ offsetMs: 0, errorMs: 5 });
  t.equal(clock.setBackMs(), MINUTE_MS);
  await own.advance(30_000);
  clock.measured({ offsetMs: 10_000, errorMs: 5 });
  t.equal(clock.setBackMs(), MINUTE_MS + 10_000, 'probes may still have the first time');
  await own.advance(MINUTE_MS);
  t.equal(clock.setBackMs(), 0);
});
