import fc from 'fast-check';
import t from 'tap';
import type { Clock } from '../../../kernel/clock.js';
import { createServerTime } from '../../../node-link/server-time.js';
import { slotAfter } from '../../../node-link/slot-time.js';
import { createAssignments } from '../../../probe/assignments/assignments.js';
import { createSchedule } from '../../../probe/schedule.js';
import { createSlotHeap } from '../../../probe/slot-heap.js';
import { createScheduleStatus } from '../../../probe/status.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { startStepCounter } from '../../helpers/count-steps.js';
import { assignment } from '../../helpers/probe/assignment.js';

const NOON = Date.UTC(2026, 0, 31, 12);
const MONITORS = 10_000;

const counter = startStepCounter();
t.teardown(() => counter.stop());

function harness(clock: Clock = testClock(NOON)) {
  const serverTime = createServerTime(clock);
  const started: { id: string; slotMs: number; latenessMs: number; version: number }[] = [];
  let due = 0;
  const schedule = createSchedule({
    clock,
    serverTime,
    events: {
      start: (monitor, slotMs) =>
        started.push({
          id: monitor.monitorId,
          slotMs,
          latenessMs: serverTime.now() - slotMs,
          version: monitor.version,
        }),
      due: (slots) => {
        due += slots;
      },
    },
  });
  return { clock, serverTime, schedule, started, due: () => due };
}

t.test('slots are at k * interval + phase on the clock of the control plane', async (t) => {
  t.equal(slotAfter(1000, 60_000, 0), 60_000);
  t.equal(slotAfter(60_000, 60_000, 0), 120_000, 'strictly after');
  t.equal(slotAfter(59_999, 60_000, 15_000), 75_000);
  t.equal(slotAfter(14_999, 60_000, 15_000), 15_000);
  const clock = testClock(NOON);
  const { schedule, started, serverTime } = harness(clock);
  serverTime.observe(NOON + 7_000_500, 0);
  schedule.put(assignment('a', { intervalSeconds: 10, phaseMs: 3_000 }));
  await clock.advance(30_000);
  t.strictSame(
    started.map((start) => start.slotMs - NOON),
    [7_003_000, 7_013_000, 7_023_000],
  );
  t.ok(started.every((start) => start.latenessMs >= 0 && start.latenessMs < 2));
});

t.test('a new interval, a new version and a removal take effect at once', async (t) => {
  const clock = testClock(NOON);
  const { schedule, started } = harness(clock);
  schedule.put(assignment('a', { intervalSeconds: 3600, phaseMs: 1_800_000 }));
  schedule.put(assignment('b', { intervalSeconds: 10 }));
  await clock.advance(10_001);
  schedule.put(assignment('a', { intervalSeconds: 10, phaseMs: 5_000, version: 2 }));
  schedule.put(assignment('b', { intervalSeconds: 10, version: 2 }));
  await clock.advance(10_000);
  t.strictSame(
    started.map((start) => [start.id, start.slotMs - NOON, start.version]),
    [
      ['b', 10_000, 1],
      ['a', 15_000, 2],
      ['b', 20_000, 2],
    ],
  );
  schedule.remove('a');
  schedule.remove('b');
  schedule.remove('unknown');
  t.equal(schedule.size(), 0);
  await clock.advance(60_000);
  t.equal(started.length, 3);
});

t.test('jumps of the wall clock, here or on the control plane, cause neither bursts nor gaps', async (t) => {
  const clock = testClock(NOON);
  const { schedule, started, serverTime } = harness(clock);
  serverTime.observe(NOON, 0);
  for (let index = 0; index < 100; index += 1) schedule.put(assignment(`m${index}`, { phaseMs: index * 600 }));
  await clock.advance(60_000);
  t.equal(started.length, 100);
  clock.jump(3_600_000);
  await clock.advance(60_000);
  t.equal(started.length, 200, 'a jump of the local clock has no effect');
  for (const hours of [1, -1]) {
    started.length = 0;
    const serverMs = serverTime.now() + hours * 3_600_000;
    serverTime.observe(serverMs, 10);
    t.ok(Math.abs(serverTime.now() - serverMs) > 3_599_000, 'a single different time is ignored');
    serverTime.observe(serverMs, 10);
    await clock.advance(500);
    t.ok(started.length <= 2, 'no burst');
    await clock.advance(59_500);
    t.ok(started.length >= 99 && started.length <= 101, `${started.length} in a minute`);
    t.ok(
      started.every((start) => Math.abs(start.latenessMs) < 5),
      'at the slots of the new time',
    );
  }
});

t.test('small differences of the clocks are corrected gradually, slow responses are ignored', async (t) => {
  const clock = testClock(NOON);
  const serverTime = createServerTime(clock);
  t.equal(serverTime.now(), NOON);
  serverTime.observe(NOON + 50_000, 100);
  t.equal(serverTime.now(), NOON + 50_050, 'the first time is used unchanged, plus half the round trip');
  for (let count = 0; count < 30; count += 1) serverTime.observe(NOON + 50_250, 0);
  t.ok(Math.abs(serverTime.now() - (NOON + 50_250)) < 2);
  serverTime.observe(NOON + 90_000, 5_000);
  serverTime.observe(NOON + 90_000, 5_000);
  t.ok(Math.abs(serverTime.now() - (NOON + 50_250)) < 2);
});

/** A clock whose timers can be frozen while time passes, as in a stopped process or a sleeping machine. */
function freezable(clock: TestClock): Clock & { frozen: boolean; thaw(): void } {
  let delayed: (() => void)[] = [];
  const self = {
    ...clock,
    frozen: false,
    after: (delayMs: number, run: () => void) =>
      clock.after(delayMs, () => {
        if (self.frozen) delayed.push(run);
        else run();
      }),
    thaw() {
      self.frozen = false;
      const runs = delayed;
      delayed = [];
      for (const run of runs) run();
    },
  };
  return self;
}

t.test('after a stall of ten minutes the missed slots are counted but not run', async (t) => {
  const clock = testClock(NOON);
  const stalling = freezable(clock);
  const { schedule, started, due } = harness(stalling);
  for (let index = 0; index < 600; index += 1) schedule.put(assignment(`m${index}`, { phaseMs: index * 100 }));
  await clock.advance(60_000);
  started.length = 0;
  const dueBefore = due();
  stalling.frozen = true;
  await clock.advance(600_000);
  stalling.thaw();
  t.ok(started.length <= 52, `${started.length} start: those of the last five seconds`);
  t.ok(started.every((start) => start.latenessMs <= 5_000));
  t.equal(due() - dueBefore, 6_000, 'all slots were due');
  started.length = 0;
  await clock.advance(60_000);
  t.equal(started.length, 600, 'then the schedule continues');
});

t.test(
  'the heap returns the first entry after any additions, moves and removals (compared with a sorted list)',
  async (t) => {
    const change = fc.record({ kind: fc.constantFrom('add', 'move', 'remove'), index: fc.nat(), dueMs: fc.integer() });
    fc.assert(
      fc.property(fc.array(change, { maxLength: 200 }), (changes) => {
        const heap = createSlotHeap<{ dueMs: number; position: number }>();
        const model: { dueMs: number; position: number }[] = [];
        for (const { kind, index, dueMs } of changes) {
          const entry = model[index % Math.max(1, model.length)];
          if (kind === 'add' || entry === undefined) {
            const added = { dueMs, position: -1 };
            model.push(added);
            heap.add(added);
          } else if (kind === 'move') {
            entry.dueMs = dueMs;
            heap.moved(entry);
          } else {
            model.splice(model.indexOf(entry), 1);
            heap.remove(entry);
          }
          const least = Math.min(...model.map((each) => each.dueMs));
          if (heap.size() !== model.length) throw new Error('size');
          if (model.length > 0 && heap.first()?.dueMs !== least) throw new Error('order');
        }
      }),
    );
    t.pass('100 histories');
  },
);

t.test('10,000 monitors: 170 starts per second, on time and with little work', async (t) => {
  const clock = testClock(NOON);
  const { schedule, started, due } = harness(clock);
  for (let index = 0; index < MONITORS; index += 1) {
    schedule.put(assignment(`m${index}`, { phaseMs: (index * 7919) % 60_000 }));
  }
  await clock.advance(60_100);
  schedule.stop();
  t.equal(started.length, due());
  const ids = new Set(started.map(({ id }) => id));
  t.equal(ids.size, MONITORS);
  t.ok(started.length < 10_050, `${started.length} starts`);
  const lateness = started.map((start) => start.latenessMs).sort((a, b) => a - b);
  t.ok((lateness.at(-1) ?? Number.NaN) <= 100, `${lateness.at(-1)} ms late`);
  t.ok((lateness[0] ?? -1) >= 0, 'none too early');
});

t.test('the work for a start grows with the logarithm of the number of monitors, and there is one timer', async (t) => {
  const workOf = async (monitors: number) => {
    const clock = testClock(NOON);
    let timers = 0;
    const { schedule, started } = harness({
      ...clock,
      after(delayMs, run) {
        timers += 1;
        return clock.after(delayMs, run);
      },
    });
    for (let index = 0; index < monitors; index += 1) {
      schedule.put(assignment(`m${index}`, { phaseMs: (index * 7919) % 60_000 }));
    }
    timers = 0;
    const steps = await counter.stepsOf(() => clock.advance(60_100));
    schedule.stop();
    return { timers, perStart: steps / started.length };
  };
  const [few, many] = [await workOf(MONITORS / 16), await workOf(MONITORS)];
  t.ok(
    many.perStart < 2 * few.perStart,
    `${few.perStart.toFixed(0)}, then ${many.perStart.toFixed(0)} steps for a start`,
  );
  t.ok(many.timers <= 602, `${many.timers} timers in a minute`);
});

t.test('slots within 0.1 s start together, on time and each once', async (t) => {
  const clock = testClock(NOON);
  const { schedule, serverTime, started, due } = harness(clock);
  for (let index = 0; index < 1_000; index += 1) {
    schedule.put(assignment(`m${index}`, { intervalSeconds: 10, phaseMs: index * 10 }));
  }
  const startedAtMs = serverTime.now();
  await clock.advance(10_000);
  schedule.stop();
  const moments = new Set(started.map(({ slotMs, latenessMs }) => slotMs + latenessMs - startedAtMs));
  t.ok(moments.size <= 101, `${moments.size} moments for ${started.length} starts`);
  t.ok(started.every(({ latenessMs }) => latenessMs >= 0 && latenessMs <= 101));
  t.ok(started.length >= 989 && started.length === due(), 'only the slots of the last 0.1 s are missing');
  t.equal(new Set(started.map(({ id }) => id)).size, started.length);
});

t.test('assignments: a snapshot in parts, changes, an incomplete snapshot', async (t) => {
  const log: string[] = [];
  const assignments = createAssignments({
    put: (put) => log.push(`+${put.monitorId}`),
    remove: (id) => log.push(`-${id}`),
  });
  const message = (revision: number, fields: object) => ({
    revision,
    snapshot: false,
    last: true,
    put: [],
    remove: [],
    ...fields,
  });
  assignments.apply(message(3, { snapshot: true, last: false, put: [assignment('a')] }));
  t.equal(assignments.revision(), 0, 'the snapshot is not complete');
  assignments.apply(message(3, { snapshot: true, put: [assignment('b')] }));
  t.equal(assignments.revision(), 3);
  assignments.apply(message(4, { put: [assignment('c')], remove: ['a'] }));
  t.equal(assignments.revision(), 4);
  assignments.apply(message(9, { snapshot: true, last: false, put: [assignment('x')] }));
  assignments.restart();
  assignments.apply(
    message(10, { snapshot: true, put: [assignment('c'), assignment('broken', { intervalSeconds: 0 })] }),
  );
  t.strictSame(log, ['+a', '+b', '+c', '-a', '+x', '+c', '-b', '-x']);
  t.equal(assignments.get('c')?.monitorId, 'c');
  t.equal(assignments.get('broken'), null);
});

t.test('the last minute: lateness and slots', async (t) => {
  const clock = testClock(NOON);
  const status = createScheduleStatus(clock);
  t.strictSame(status.lastMinute(), { latenessP50Ms: 0, latenessP99Ms: 0, slotsDue: 0, slotsRun: 0 });
  for (let index = 1; index <= 100; index += 1) {
    status.due(1);
    status.started(index);
  }
  status.due(5);
  t.strictSame(status.lastMinute(), { latenessP50Ms: 50, latenessP99Ms: 99, slotsDue: 105, slotsRun: 100 });
  await clock.advance(30_000);
  status.due(1);
  t.equal(status.lastMinute().slotsDue, 106);
  await clock.advance(31_000);
  t.strictSame(status.lastMinute(), { latenessP50Ms: 0, latenessP99Ms: 0, slotsDue: 1, slotsRun: 0 });
});
