import { Registry } from 'prom-client';
import t from 'tap';
import { watchClockOffset } from '../../../control-plane/clock-offset.js';
import { createDatabaseClock } from '../../../control-plane/storage/clock/database-clock.js';
import { testClock } from '../../helpers/clock.js';
import { logCollector } from '../../helpers/monitors/log-collector.js';

/** A control plane whose clock is `offsetMs` ahead of a database that answers after the times of `tripsMs`, in turn. */
function fakeDatabase(offset: { ms: number; isAway?: boolean }, tripsMs: readonly number[]) {
  const clock = testClock();
  let calls = 0;
  const databaseTime = async () => {
    if (offset.isAway === true) throw new Error('no primary');
    const tripMs = tripsMs[calls++ % tripsMs.length] ?? 0;
    // The way there takes a tenth of the time, which is the worst that can happen to the estimate.
    clock.stall(tripMs / 10);
    const databaseMs = clock.now() - offset.ms;
    clock.stall((tripMs * 9) / 10);
    return databaseMs;
  };
  return { clock, databaseTime, databaseClock: createDatabaseClock(clock) };
}

async function exported(registry: Registry): Promise<number> {
  const text = /^picket_clock_offset_seconds (\S+)$/m.exec(await registry.metrics())?.[1];
  return Number(text?.replace('Nan', 'NaN'));
}

t.test('the offset is that of the fastest answer, within half of its time', async (t) => {
  const { clock, databaseTime, databaseClock } = fakeDatabase({ ms: -60_000 }, [800, 30, 10, 500, 90]);
  const registry = new Registry();
  const watch = watchClockOffset({ databaseTime, databaseClock, registry, clock, logger: logCollector().logger });
  await clock.advance(1_000);
  const offset = await exported(registry);
  t.ok(Math.abs(offset + 60) <= 0.005, `${offset} s`);
  await watch.stop();
});

t.test('the offset is exported, and logged once when it becomes more than a second', async (t) => {
  const offset = { ms: 400, isAway: false };
  const { clock, databaseTime, databaseClock } = fakeDatabase(offset, [10]);
  const registry = new Registry();
  const { logger, lines } = logCollector();
  const warnings = () => lines.filter(({ level }) => level === 40).map(({ msg }) => String(msg));
  const watch = watchClockOffset({ databaseTime, databaseClock, registry, clock, logger });
  t.ok(Number.isNaN(await exported(registry)), 'unknown before the first measurement');
  await clock.advance(1_000);
  t.ok(Math.abs((await exported(registry)) - 0.4) < 0.01);
  t.strictSame(warnings(), []);

  offset.ms = -60_000;
  await clock.advance(300_000);
  t.ok(Math.abs((await exported(registry)) + 60) < 0.01);
  t.strictSame(
    warnings(),
    ['the clock of this control plane is 60.0 s behind the clock of the database; check NTP on both hosts'],
    'ten measurements, one warning',
  );
  for (const ms of [-900, -1_100, -700, -1_500]) {
    offset.ms = ms;
    await clock.advance(30_000);
  }
  t.equal(warnings().length, 1, 'an offset of about a second is not logged again and again');

  offset.ms = 2_000;
  await clock.advance(60_000);
  t.match(warnings().slice(1), [/2\.0 s ahead of the clock/], 'the other direction is another warning');
  offset.ms = 0;
  await clock.advance(60_000);
  t.match(lines.at(-1), { level: 30, msg: /agrees with the database again/ });

  offset.isAway = true;
  await clock.advance(60_000);
  t.ok(Number.isNaN(await exported(registry)), 'unknown while the database is away');
  t.equal(warnings().length, 2);
  await watch.stop();
});

t.test('an offset that is only as large as the answer was slow is not logged', async (t) => {
  const { clock, databaseTime, databaseClock } = fakeDatabase({ ms: 900 }, [600]);
  const { logger, lines } = logCollector();
  const watch = watchClockOffset({ databaseTime, databaseClock, registry: new Registry(), clock, logger });
  await clock.advance(120_000);
  t.strictSame(lines, []);
  await watch.stop();
});

t.test('the offset is measured again within a second after the wall clock was set', async (t) => {
  const offset = { ms: 0 };
  const { clock, databaseTime, databaseClock } = fakeDatabase(offset, [10]);
  const watch = watchClockOffset({
    databaseTime,
    databaseClock,
    registry: new Registry(),
    clock,
    logger: logCollector().logger,
  });
  await clock.advance(2_000);
  const before = clock.now();
  clock.jump(600_000);
  offset.ms = 600_000;
  await clock.advance(2_000);
  t.ok(Math.abs(databaseClock.now() - before - 2_000) < 100, 'it shows the time of the database');
  await watch.stop();
});
