import fc from 'fast-check';
import t from 'tap';
import { createBootClock } from '../../../server-agent/boot-clock.js';
import { type CpuTimes, cpuShares, parseCpuTimes } from '../../../server-agent/collectors/parsers/cpu-times.js';
import { type CounterState, nextRates, rateWindow, stepOf } from '../../../server-agent/rates.js';
import { testClock } from '../../helpers/clock.js';

const INTERVAL_MS = 10_000;
const window = rateWindow(INTERVAL_MS);

/** Returns the rates of one counter `c` that is read at these moments; null for no rate. */
function ratesOf(...readings: readonly (readonly [atMs: number, value: number | null])[]): (number | null)[] {
  let state: CounterState | null = null;
  return readings.map(([atMs, value]) => {
    state = nextRates(state, atMs, new Map(value === null ? [] : [['c', value]]), window);
    return state.rates.get('c') ?? null;
  });
}

t.test('a rate is the increase per second since the previous reading', async (t) => {
  t.strictSame(ratesOf([0, 5_000], [10_000, 6_000], [20_000, 6_000], [25_000, 7_000]), [null, 100, 0, 200]);
});

t.test('a counter that was reset has no rate once, and never a negative one', async (t) => {
  t.strictSame(ratesOf([0, 9_000_000], [10_000, 9_001_000], [20_000, 500], [30_000, 1_500]), [null, 100, null, 100]);
});

t.test('a 32-bit counter that wraps keeps its rate; a reset counter causes no spike', async (t) => {
  const near = 2 ** 32 - 60_000;
  t.strictSame(ratesOf([0, near - 100_000], [10_000, near], [20_000, 40_000]), [null, 10_000, 10_000]);
  const far = 2 ** 32 - 2_000_000_000;
  t.strictSame(
    ratesOf([0, far - 1_000], [10_000, far], [20_000, 0]),
    [null, 100, null],
    'a reset at 2.3 GB is not a wrap',
  );
  t.strictSame(
    ratesOf([0, 2 ** 40], [10_000, 2 ** 40 + 1_000], [20_000, 10]),
    [null, 100, null],
    'a 64-bit counter does not wrap',
  );
});

t.test('a new device has no rate at first, also when it appears again', async (t) => {
  t.strictSame(
    ratesOf([0, null], [10_000, 70_000], [20_000, 71_000], [30_000, null], [40_000, 99_000], [50_000, 99_500]),
    [null, null, 100, null, null, 50],
  );
});

t.test('more than three intervals are a gap: no rate over it, and a rate after it', async (t) => {
  t.strictSame(ratesOf([0, 0], [30_000, 3_000], [60_001, 9_000], [70_001, 10_000]), [null, 100, null, 100]);
  t.strictSame(ratesOf([50_000, 0], [40_000, 1_000], [50_000, 2_000]), [null, null, 100], 'no rate if time went back');
});

t.test(
  'a reading that is too early has no rate, and the next one is compared with the reading before it',
  async (t) => {
    t.strictSame(ratesOf([0, 0], [100, 50_000], [10_000, 60_000]), [null, null, 6_000]);
    t.equal(stepOf(0, 999, window), 'too_soon');
    t.equal(stepOf(0, 1_000, window), 'measured');
  },
);

t.test(
  'for all counters and clocks, a rate is finite, not negative and equal to the increase of the counter',
  async (t) => {
    const reading = fc.record({ afterMs: fc.integer({ min: -40_000, max: 80_000 }), value: fc.nat(2 ** 31 - 1) });
    fc.assert(
      fc.property(fc.array(reading, { minLength: 2, maxLength: 30 }), (readings) => {
        let atMs = 0;
        let state: CounterState | null = null;
        for (const { afterMs, value } of readings) {
          atMs += afterMs;
          const before: CounterState | null = state;
          state = nextRates(before, atMs, new Map([['c', value]]), window);
          const rate = state.rates.get('c');
          if (rate === undefined) continue;
          const seconds = (state.atMs - (before?.atMs ?? 0)) / 1000;
          const increase = value - (before?.values.get('c') ?? 0);
          if (!Number.isFinite(rate) || rate < 0 || (increase >= 0 && Math.abs(rate * seconds - increase) > 1e-3))
            return false;
        }
        return true;
      }),
    );
    t.pass();
  },
);

t.test('the boot clock includes suspension, and a set wall clock or coarse ticks do not change it', async (t) => {
  const clock = testClock();
  let suspendedMs = 0;
  const uptime = () => Math.floor((5_000_000 + clock.monotonic() + suspendedMs) / 10) / 100;
  const boot = createBootClock(clock, uptime);
  const start = boot.monotonic();
  t.ok(Math.abs(start - 5_000_000) <= 10, 'it counts from the start of the machine, not of the process');
  await clock.advance(12_345);
  t.equal(boot.monotonic() - start, 12_345);
  clock.jump(86_400_000);
  t.equal(boot.monotonic() - start, 12_345, 'the wall clock is set a day ahead');
  suspendedMs = 3_600_000;
  t.ok(Math.abs(boot.monotonic() - start - 3_612_345) <= 10, 'the machine was suspended for an hour');
  const after = boot.monotonic();
  await clock.advance(1);
  t.equal(boot.monotonic() - after, 1);
});

function times(text: string): CpuTimes {
  const parsed = parseCpuTimes(`cpu  ${text}\n`).get('');
  if (parsed === undefined) throw new Error(`no line of /proc/stat: ${text}`);
  return parsed;
}

t.test('CPU time: idle and iowait are not used, stolen time is, and guest time counts once', async (t) => {
  const before = times('100 0 100 800 0 0 0 0 0 0');
  t.strictSame(cpuShares(before, times('130 0 110 850 10 0 0 0 0 0')), { used: 40, iowait: 10, steal: 0 });
  t.strictSame(cpuShares(before, times('120 0 100 860 0 0 0 20 0 0')), { used: 40, iowait: 0, steal: 20 });
  t.strictSame(
    cpuShares(before, times('150 0 100 850 0 0 0 0 50 0')),
    { used: 50, iowait: 0, steal: 0 },
    'user includes guest',
  );
});

t.test('CPU time that falls: a small fall is rounding by the kernel, a large one is a reset', async (t) => {
  const before = times('100 0 100 800 50 0 0 0 0 0');
  t.strictSame(cpuShares(before, times('120 0 100 880 45 0 0 0 0 0')), { used: 20, iowait: 0, steal: 0 });
  t.equal(cpuShares(before, times('2000 0 0 0 0 0 0 0 0 0')), null);
  t.equal(cpuShares(before, before), null, 'no time has passed');
});

t.test('/proc/stat: each core, old kernels with fewer columns, and no lines after the cores', async (t) => {
  const text = 'cpu  4 0 2 6\ncpu0 3 0 1 2\ncpu1 1 0 1 4\nintr 5 6 7\ncpufreq 1 2 3 4\n';
  t.strictSame([...parseCpuTimes(text).keys()], ['', '0', '1']);
  t.strictSame(parseCpuTimes(text).get('1'), { idle: 4, iowait: 0, steal: 0, total: 6 });
  t.strictSame([...parseCpuTimes('').keys()], []);
});
