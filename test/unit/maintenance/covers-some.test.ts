import { Cron } from 'croner';
import t from 'tap';
import { coversSome } from '../../../control-plane/maintenance/schedule/occurrences.js';

const MINUTE = 60_000;
const DAY = 86_400_000;
const FROM = Date.UTC(2031, 0, 31);

const repeating = (cron: string, over: object = {}) => ({
  ...{ starts_at_ms: 0, ends_at_ms: null, extension: null, cut: null },
  recurrence: { cron, time_zone: 'Europe/Berlin', duration_minutes: 5 },
  ...over,
});

/** Counts how many occurrences are computed by `run`. */
function computed(run: () => unknown): number {
  const { nextRun } = Cron.prototype;
  let count = 0;
  Cron.prototype.nextRun = function (this: Cron, ...args) {
    count += 1;
    return nextRun.apply(this, args);
  };
  try {
    run();
  } finally {
    Cron.prototype.nextRun = nextRun;
  }
  return count;
}

t.test('whether a window covered something takes a few occurrences, however long the time is', async (t) => {
  const schedule = repeating('*/6 * * * *');
  const counts = [90, 360].map((days) => computed(() => t.ok(coversSome(schedule, FROM, FROM + days * DAY))));
  t.equal(counts[0], counts[1], 'as many for 90 days as for 360');
  t.ok((counts[0] ?? 0) < 200, `${counts[0]} of 86,400`);
});

t.test('it is right at the edges: before, after, cut, extended', async (t) => {
  const schedule = repeating('0 2 * * *');
  const at = (hour: number, minute: number) => FROM + (hour - 1) * 60 * MINUTE + minute * MINUTE;
  t.notOk(coversSome(schedule, at(2, 5), at(26, 0)), 'from the end of one to the begin of the next');
  t.ok(coversSome(schedule, at(2, 4), at(2, 5)));
  t.ok(coversSome(schedule, at(2, 5), at(26, 1)));
  t.notOk(coversSome(schedule, at(2, 3), at(2, 3)), 'no time at all');
  const cut = { from_ms: at(2, 2), to_ms: at(2, 5) };
  t.notOk(coversSome({ ...schedule, cut }, at(2, 2), at(26, 0)));
  t.ok(coversSome({ ...schedule, cut }, at(2, 2), at(26, 1)), 'the one after the one that is cut');
  const extension = { from_ms: at(2, 0), to_ms: at(3, 0) };
  t.ok(coversSome({ ...schedule, extension }, at(2, 30), at(2, 31)));
});
