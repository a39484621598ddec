import { Gauge, type Registry } from 'prom-client';
import type { Clock } from '../kernel/clock.js';
import type { Logger } from '../kernel/logger.js';
import { createPeriodicTask, type PeriodicTask } from '../kernel/periodic-task.js';
import type { ClockOffset, DatabaseClock } from './storage/clock/database-clock.js';
import type { DatabaseTime } from './storage/clock/database-time.js';

/** After another member has become the primary, control planes follow its clock at about the same time. */
const PERIOD_MS = 5_000;
/** How soon a wall clock that was set, or a machine that was suspended, is noticed. */
const CHECK_MS = 1_000;
/** Answers of which the fastest counts, because its error is at most half of its round trip. */
const SAMPLES = 5;
const WARN_MS = 1_000;
/** The clock counts as right again below this, so that an offset of about a second is not logged again and again. */
const RIGHT_MS = 500;

type ClockState = 'right' | 'ahead' | 'behind';

/** Measures the offset: the database's time belongs to the middle between the question and the answer. */
export async function measureOffset(
  databaseTime: DatabaseTime,
  clock: Pick<Clock, 'now' | 'monotonic'>,
): Promise<ClockOffset> {
  let best: ClockOffset = { offsetMs: Number.NaN, errorMs: Number.POSITIVE_INFINITY };
  for (let sample = 0; sample < SAMPLES; sample++) {
    const [askedAtMs, startMs] = [clock.now(), clock.monotonic()];
    const databaseMs = await databaseTime();
    // While a machine is suspended, only the wall clock goes on.
    const errorMs = Math.max(clock.monotonic() - startMs, clock.now() - askedAtMs) / 2;
    if (errorMs < best.errorMs) best = { offsetMs: askedAtMs + errorMs - databaseMs, errorMs };
  }
  return best;
}

/** Returns what is known of the clock after a measurement. */
function nextState(state: ClockState, { offsetMs, errorMs }: ClockOffset): ClockState {
  const leastMs = Math.abs(offsetMs) - errorMs;
  if (leastMs > WARN_MS) return offsetMs > 0 ? 'ahead' : 'behind';
  return Math.abs(offsetMs) + errorMs < RIGHT_MS ? 'right' : state;
}

/**
 * Measures, exports and logs how far the clock of this control plane is from that of the database, which all control
 * planes share, and sets `databaseClock`, by which they work. `clock` is the machine's own.
 */
export function watchClockOffset(needs: {
  databaseTime: DatabaseTime;
  databaseClock: Pick<DatabaseClock, 'measured' | 'mustMeasure'>;
  registry: Registry;
  clock: Clock;
  logger: Logger;
}): PeriodicTask {
  const { databaseTime, databaseClock, registry, clock, logger } = needs;
  let state: ClockState = 'right';
  let measuredAt = Number.NEGATIVE_INFINITY;
  const gauge = new Gauge({
    name: 'picket_clock_offset_seconds',
    help: 'Time by which the clock of this control plane is ahead of the clock of the database; NaN while unknown.',
    registers: [registry],
  });
  gauge.set(Number.NaN);

  function log({ offsetMs, errorMs }: ClockOffset): void {
    const offset = { offset_ms: Math.round(offsetMs), error_ms: Math.ceil(errorMs) };
    if (state === 'right') {
      logger.info(offset, 'the clock of this control plane agrees with the database again');
      return;
    }
    const apart = `${(Math.abs(offsetMs) / 1_000).toFixed(1)} s ${state === 'ahead' ? 'ahead of' : 'behind'}`;
    logger.warn(
      offset,
      `the clock of this control plane is ${apart} the clock of the database; check NTP on both hosts`,
    );
  }

  const task = createPeriodicTask({
    clock,
    periodMs: CHECK_MS,
    async run() {
      if (clock.monotonic() - measuredAt < PERIOD_MS && !databaseClock.mustMeasure()) return;
      measuredAt = clock.monotonic();
      const measured = await measureOffset(databaseTime, clock);
      gauge.set(measured.offsetMs / 1_000);
      databaseClock.measured(measured);
      const before = state;
      state = nextState(state, measured);
      if (state !== before) log(measured);
    },
    onFailure(error) {
      gauge.set(Number.NaN);
      logger.debug({ err: error }, `failed to read the time of the database, retrying in ${PERIOD_MS / 1_000} s`);
    },
  });
  task.start();
  return task;
}
