import t from 'tap';
import { FREQUENCIES } from '../../../control-plane/blacklist/documents.js';
import { nextCheckMs } from '../../../control-plane/blacklist/monitoring/schedule.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';

const HOUR_MS = 3_600_000;
const PERIODS = { hourly: HOUR_MS, daily: 24 * HOUR_MS, weekly: 168 * HOUR_MS };
const NOW_MS = Date.UTC(2026, 0, 31, 12, 0, 0);
// Created within one millisecond, as by an import.
const ids = createIds(testClock(), systemRandom);
const monitors = Array.from({ length: 1_000 }, () => ids.next('blm'));

t.test('each monitor has a fixed offset in its period, and its next check is after now', async (t) => {
  for (const frequency of FREQUENCIES) {
    const periodMs = PERIODS[frequency];
    for (const id of monitors.slice(0, 50)) {
      const next = nextCheckMs(id, frequency, NOW_MS);
      const isNext = next > NOW_MS && next <= NOW_MS + periodMs;
      if (!isNext) t.fail(`${frequency}: ${next - NOW_MS} ms from now`);
      // The time stays the same until it is reached, then moves by a period; missed checks are skipped.
      const later = [next - 1, next, next + 3 * periodMs + 5].map((atMs) => nextCheckMs(id, frequency, atMs));
      const expected = [next, next + periodMs, next + 4 * periodMs];
      if (later.join() !== expected.join()) t.same(later, expected, `${frequency} ${id}`);
    }
    t.pass(frequency);
  }
});

t.test('1,000 monitors created together are spread evenly over the period', async (t) => {
  for (const frequency of FREQUENCIES) {
    const minutes = new Array<number>(60).fill(0);
    for (const id of monitors) {
      const at = Math.floor(((nextCheckMs(id, frequency, NOW_MS) - NOW_MS - 1) / PERIODS[frequency]) * 60);
      minutes[at] = (minutes[at] ?? 0) + 1;
    }
    // 1,000 in 60 parts: 16.7 each, with a deviation of 4. Chi-squared with 59 degrees exceeds 120 once in a million.
    const expected = monitors.length / minutes.length;
    const chi = minutes.reduce((sum, found) => sum + (found - expected) ** 2 / expected, 0);
    t.ok(chi < 120, `${frequency}: chi-squared ${chi.toFixed(1)}`);
    t.ok(Math.max(...minutes) < 45, `${frequency}: ${Math.max(...minutes)} at most in one sixtieth of it`);
  }
});
