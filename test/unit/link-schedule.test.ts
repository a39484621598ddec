import fc from 'fast-check';
import { pino } from 'pino';
import t from 'tap';
import { type Clock, systemClock } from '../../kernel/clock.js';
import { createAssignments } from '../../probe/assignments.js';
import { createCanary } from '../../probe/canary.js';
import type { CheckOutcome, CheckRequest } from '../../probe/checks/check.js';
import { readProbeCommand } from '../../probe/config.js';
import { createGate } from '../../probe/gate.js';
import { createRunner, type RunnerOptions } from '../../probe/runner.js';
import { type Assignment, createSchedule, slotAfter } from '../../probe/schedule.js';
import { createServerTime } from '../../probe/server-time.js';
import { createSlotHeap } from '../../probe/slot-heap.js';
import { createScheduleStatus } from '../../probe/status.js';
import type { CheckResult } from '../../proto/generated/picket/link/v1/CheckResult.js';
import { type TestClock, testClock } from '../helpers/clock.js';

const logger = pino({ level: 'silent' });
const NOON = Date.UTC(2026, 0, 31, 12);

function assignment(monitorId: string, overrides: Partial<Assignment> = {}): Assignment {
  return {
    monitorId,
    version: 1,
    type: 'tcp',
    url: 'tcp://127.0.0.1:1',
    intervalSeconds: 60,
    phaseMs: 0,
    timeoutMs: 1000,
    retries: 0,
    http: null,
    retryDelayMs: 0,
    ...overrides,
  };
}

function harness(clock: Clock = testClock(NOON)) {
  const serverTime = createServerTime(clock);
  const started: { id: string; slotMs: number; latenessMs: number; version: number }[] = [];
  let due = 0;
  const schedule = createSchedule({
    clock,
    serverTime,
    events: {
      start: (held, slotMs) =>
        started.push({ id: held.monitorId, slotMs, latenessMs: serverTime.now() - slotMs, version: held.version }),
      due: (slots) => {
        due += slots;
      },
    },
  });
  return { clock, serverTime, schedule, started, due: () => due };
}

t.test('slots are at k * interval + phase on the server clock', async (t) => {
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

t.test('changes take effect at once: a new interval, a new version, a removal', async (t) => {
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
  schedule.remove('never held');
  t.equal(schedule.size(), 0);
  await clock.advance(60_000);
  t.equal(started.length, 3);
});

t.test('jumps of the wall clock, here or at the server, cause neither bursts nor silence', async (t) => {
  const clock = testClock(NOON);
  const { schedule, started, serverTime } = harness(clock);
  serverTime.observe(NOON, 0);
  for (let index = 0; index < 100; index += 1) schedule.put(assignment(`m${index}`, { phaseMs: index * 600 }));
  await clock.advance(60_000);
  t.equal(started.length, 100);
  clock.jump(3_600_000);
  await clock.advance(60_000);
  t.equal(started.length, 200, 'this clock: nothing happens');
  for (const hours of [1, -1]) {
    started.length = 0;
    const serverMs = serverTime.now() + hours * 3_600_000;
    serverTime.observe(serverMs, 10);
    t.ok(Math.abs(serverTime.now() - serverMs) > 3_599_000, 'one odd answer is not believed');
    serverTime.observe(serverMs, 10);
    await clock.advance(500);
    t.ok(started.length <= 2, 'no burst');
    await clock.advance(59_500);
    t.ok(started.length >= 99 && started.length <= 101, `${started.length} in a minute`);
    t.ok(
      started.every((start) => Math.abs(start.latenessMs) < 5),
      'on the new time',
    );
  }
});

t.test('small differences of the clocks are followed smoothly, slow answers are not', async (t) => {
  const clock = testClock(NOON);
  const serverTime = createServerTime(clock);
  t.equal(serverTime.now(), NOON);
  serverTime.observe(NOON + 50_000, 100);
  t.equal(serverTime.now(), NOON + 50_050, 'the first answer is taken as it is, half the round trip added');
  for (let count = 0; count < 30; count += 1) serverTime.observe(NOON + 50_250, 0);
  t.ok(Math.abs(serverTime.now() - (NOON + 50_250)) < 2);
  serverTime.observe(NOON + 90_000, 5_000);
  serverTime.observe(NOON + 90_000, 5_000);
  t.ok(Math.abs(serverTime.now() - (NOON + 50_250)) < 2);
});

/** Time goes on while nothing runs, as when the process is stopped or the machine asleep. */
function freezable(clock: TestClock): Clock & { frozen: boolean; thaw(): void } {
  let held: (() => void)[] = [];
  const self = {
    ...clock,
    frozen: false,
    after: (delayMs: number, run: () => void) =>
      clock.after(delayMs, () => {
        if (self.frozen) held.push(run);
        else run();
      }),
    thaw() {
      self.frozen = false;
      const runs = held;
      held = [];
      for (const run of runs) run();
    },
  };
  return self;
}

t.test('after a stall of ten minutes what was missed stays a gap, and is counted', async (t) => {
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
  t.equal(due() - dueBefore, 6_000, 'all of them were due');
  started.length = 0;
  await clock.advance(60_000);
  t.equal(started.length, 600, 'and on it goes');
});

t.test('the heap gives what is due first, whatever is added, moved and removed (against sorting)', async (t) => {
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
        const least = Math.min(...model.map((held) => held.dueMs));
        if (heap.size() !== model.length) throw new Error('size');
        if (model.length > 0 && heap.first()?.dueMs !== least) throw new Error('order');
      }
    }),
  );
  t.pass('100 histories');
});

t.test('10,000 monitors: 170 starts a second, in time, with little work', async (t) => {
  const { schedule, started, due } = harness(systemClock);
  for (let index = 0; index < 10_000; index += 1) {
    schedule.put(assignment(`m${index}`, { phaseMs: (index * 7919) % 60_000 }));
  }
  const cpu = process.cpuUsage();
  await systemClock.sleep(3_000);
  const used = process.cpuUsage(cpu);
  schedule.stop();
  const lateness = started.map((start) => start.latenessMs).sort((a, b) => a - b);
  const p99 = lateness[Math.floor(lateness.length * 0.99)] ?? Number.NaN;
  t.ok(started.length > 450 && started.length === due(), `${started.length} starts in 3 s`);
  t.ok(p99 < 1_000, `p99 ${p99.toFixed(1)} ms, CPU ${((used.user + used.system) / 1000 / 3).toFixed(1)} ms a second`);
  t.ok((lateness[0] ?? -1) >= 0, 'none too early');
});

const UP: CheckOutcome = {
  up: true,
  responseTimeMs: 5,
  timings: { dnsMs: null, connectMs: 1, tlsMs: null, ttfbMs: null, transferMs: null },
  httpStatus: null,
  error: null,
  certificate: null,
  address: '127.0.0.1',
};
const DOWN: CheckOutcome = { ...UP, up: false, error: { code: 'connection_refused', message: 'no' } };

function running(clock: TestClock, overrides: Partial<RunnerOptions> = {}) {
  const serverTime = createServerTime(clock);
  const results: (CheckResult & { urgent: boolean })[] = [];
  const asked: { request: CheckRequest; atMs: number }[] = [];
  const counts = { started: 0, skipped: 0 };
  let outcome: (call: number) => CheckOutcome = () => UP;
  let durationMs = 0;
  const runner = createRunner({
    checker: {
      async run(request, signal) {
        const call = asked.push({ request, atMs: clock.monotonic() });
        await clock.sleep(durationMs, signal);
        return outcome(call - 1);
      },
    },
    gate: createGate(100),
    serverTime,
    held: () => null,
    report: (result, urgent) => results.push({ ...result, urgent }),
    events: { started: () => (counts.started += 1), skipped: () => (counts.skipped += 1) },
    clock,
    logger,
    ...overrides,
  });
  return {
    runner,
    results,
    asked,
    counts,
    answer(next: typeof outcome, ms = 0) {
      outcome = next;
      durationMs = ms;
    },
  };
}

/** Lets what was just begun get to its first wait, then moves the clock. */
async function pass(clock: TestClock, ms: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(ms);
}

t.test('a failed try is reported at once, and the next starts 5 s after it started or when it ended', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer((call) => (call === 2 ? UP : DOWN), 1_000);
  probe.runner.runSlot(assignment('a', { retries: 2, retryDelayMs: 5_000 }), NOON);
  await pass(clock, 1_001);
  t.match(probe.results, [{ attempt: 0, final: false, up: false, urgent: true, errorCode: 'connection_refused' }]);
  await pass(clock, 20_000);
  t.strictSame(
    probe.results.map((result) => [result.attempt, result.final, result.up, result.urgent, result.slotMs]),
    [
      [0, false, false, true, NOON],
      [1, false, false, true, NOON],
      [2, true, true, true, NOON],
    ],
  );
  t.strictSame(
    probe.asked.map((asked) => asked.atMs),
    [0, 5_000, 10_000],
  );

  const slow = running(clock);
  slow.answer(() => DOWN, 8_000);
  slow.runner.runSlot(assignment('a', { retries: 1, retryDelayMs: 5_000 }), NOON);
  await pass(clock, 30_000);
  t.equal((slow.asked[1]?.atMs ?? 0) - (slow.asked[0]?.atMs ?? 0), 8_000);
  t.strictSame(
    slow.results.map((result) => result.final),
    [false, true],
  );
});

t.test('a check that the probe itself broke is a gap, neither good nor bad', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer((call) => (call === 0 ? { ...DOWN, inconclusive: true } : UP));
  probe.runner.runSlot(assignment('a', { retries: 1, retryDelayMs: 5_000 }), NOON);
  await pass(clock, 20_000);
  t.strictSame(probe.results, []);
  probe.runner.runSlot(assignment('a'), NOON + 60_000);
  await pass(clock, 1_000);
  t.match(probe.results, [{ up: true, slotMs: NOON + 60_000 }], 'and the next slot is as any other');
});

t.test('a check that still runs at its next slot: the slot is skipped and counted', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer(() => UP, 15_000);
  const held = assignment('a', { intervalSeconds: 10 });
  probe.runner.runSlot(held, NOON);
  await pass(clock, 10_000);
  probe.runner.runSlot(held, NOON + 10_000);
  await pass(clock, 10_000);
  probe.runner.runSlot(held, NOON + 20_000);
  await pass(clock, 15_000);
  t.strictSame(
    probe.results.map((result) => result.slotMs),
    [NOON, NOON + 20_000],
  );
  t.strictSame(probe.counts, { started: 2, skipped: 1 });
});

t.test('a command checks at once, once, with the assignment it brings, and keeps its slot', async (t) => {
  const clock = testClock(NOON);
  const held = assignment('a', { version: 7 });
  const probe = running(clock, { held: (id) => (id === 'a' ? held : null) });
  const command = { monitorId: 'a', slotMs: NOON - 5, reason: 'confirm', assignment: null };
  probe.runner.runNow(command);
  probe.runner.runNow({ ...command });
  probe.runner.runNow({ ...command, slotMs: NOON - 4, reason: 'manual', assignment: assignment('a', { version: 8 }) });
  probe.runner.runNow({ ...command, monitorId: 'unknown' });
  probe.runner.runNow({ ...command, monitorId: 'new', assignment: assignment('new') });
  await pass(clock, 1);
  t.strictSame(
    probe.results.map((result) => [
      result.monitorId,
      result.slotMs,
      result.reason,
      result.monitorVersion,
      result.urgent,
    ]),
    [
      ['a', NOON - 5, 'confirm', 7, true],
      ['a', NOON - 4, 'manual', 8, true],
      ['new', NOON - 5, 'confirm', 1, true],
    ],
  );
});

t.test('a monitor that goes takes its running check and its retries with it', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer(() => DOWN, 100);
  probe.runner.runSlot(assignment('a', { retries: 3, retryDelayMs: 1_000 }), NOON);
  probe.runner.runSlot(assignment('b', { retries: 3, retryDelayMs: 1_000 }), NOON);
  await pass(clock, 500);
  probe.runner.cancel('a');
  await pass(clock, 550);
  probe.runner.cancel('b');
  await pass(clock, 60_000);
  t.strictSame(
    probe.results.map((result) => [result.monitorId, result.attempt]),
    [
      ['a', 0],
      ['b', 0],
    ],
  );
});

t.test('stopping lets running checks end for 5 s, begins nothing, and cuts off the rest', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer(() => DOWN, 2_000);
  probe.runner.runSlot(assignment('a', { retries: 1, retryDelayMs: 10 }), NOON);
  await pass(clock, 0);
  const stopped = probe.runner.stop(5_000);
  probe.runner.runSlot(assignment('b'), NOON);
  probe.runner.runNow({ monitorId: 'c', slotMs: NOON, reason: 'manual', assignment: assignment('c') });
  await pass(clock, 2_100);
  await stopped;
  t.strictSame(
    probe.results.map((result) => [result.monitorId, result.attempt, result.final]),
    [['a', 0, false]],
  );

  const hanging = running(clock);
  hanging.answer(() => UP, 60_000);
  hanging.runner.runSlot(assignment('a'), NOON);
  await pass(clock, 0);
  const cut = hanging.runner.stop(5_000);
  await pass(clock, 5_001);
  await cut;
  t.equal(hanging.results.length, 0);
});

t.test(
  'so many checks at the same time and no more; urgent ones pass those in line; what waited past its next slot is a gap',
  async (t) => {
    const clock = testClock(NOON);
    const probe = running(clock, { gate: createGate(2) });
    probe.answer(() => UP, 6_000);
    for (const id of ['a', 'b', 'c', 'd', 'e']) probe.runner.runSlot(assignment(id, { intervalSeconds: 10 }), NOON);
    probe.runner.runNow({ monitorId: 'now', slotMs: NOON, reason: 'manual', assignment: assignment('now') });
    await pass(clock, 1);
    t.equal(probe.asked.length, 2);
    await pass(clock, 60_000);
    t.strictSame(
      probe.results.map((result) => result.monitorId),
      ['a', 'b', 'now', 'c'],
    );
    t.strictSame(probe.counts, { started: 3, skipped: 2 });
    const gate = createGate(1);
    const controller = new AbortController();
    await gate.enter(false, controller.signal);
    const second = gate.enter(false, controller.signal);
    controller.abort();
    t.equal(await second, false, 'one that is no longer wanted leaves the line');
    t.equal(await gate.enter(true, controller.signal), false);
    gate.leave();
    t.equal(gate.running(), 0);
  },
);

t.test('assignments: snapshot in pieces, deltas, half a snapshot', async (t) => {
  const log: string[] = [];
  const held = createAssignments({ put: (put) => log.push(`+${put.monitorId}`), remove: (id) => log.push(`-${id}`) });
  const message = (revision: number, fields: object) => ({
    revision,
    snapshot: false,
    last: true,
    put: [],
    remove: [],
    ...fields,
  });
  held.apply(message(3, { snapshot: true, last: false, put: [assignment('a')] }));
  t.equal(held.revision(), 0, 'not complete');
  held.apply(message(3, { snapshot: true, put: [assignment('b')] }));
  t.equal(held.revision(), 3);
  held.apply(message(4, { put: [assignment('c')], remove: ['a'] }));
  t.equal(held.revision(), 4);
  held.apply(message(9, { snapshot: true, last: false, put: [assignment('x')] }));
  held.restart();
  held.apply(message(10, { snapshot: true, put: [assignment('c'), assignment('broken', { intervalSeconds: 0 })] }));
  t.strictSame(log, ['+a', '+b', '+c', '-a', '+x', '+c', '-b', '-x']);
  t.equal(held.get('c')?.monitorId, 'c');
  t.equal(held.get('broken'), null);
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

t.test('canaries tell a broken network of the probe: good while half of them answer', async (t) => {
  const clock = testClock(NOON);
  const asked: CheckRequest[] = [];
  let down = new Set<string>();
  let changes = 0;
  const canary = createCanary({
    checker: {
      run: async (request) => {
        asked.push(request);
        return down.has(request.url) ? DOWN : UP;
      },
    },
    clock,
    changed: () => (changes += 1),
  });
  t.equal(canary.ok(), true);
  canary.watch(['tcp://10.0.0.1:53', 'https://example.org/', 'router.example']);
  await clock.advance(1);
  t.strictSame(
    asked.map((request) => [request.type, request.url]),
    [
      ['tcp', 'tcp://10.0.0.1:53'],
      ['http', 'https://example.org/'],
      ['ping', 'router.example'],
    ],
  );
  down = new Set(['tcp://10.0.0.1:53', 'router.example']);
  await clock.advance(10_000);
  t.strictSame([canary.ok(), canary.targets(), changes], [false, 3, 1]);
  canary.watch(['tcp://10.0.0.1:53', 'https://example.org/', 'router.example']);
  t.equal(canary.ok(), false, 'the same list again changes nothing');
  down = new Set(['router.example']);
  await clock.advance(10_000);
  t.strictSame([canary.ok(), changes], [true, 2]);
  canary.watch([]);
  t.equal(canary.targets(), 0);
  canary.stop();
});

t.test('settings: defaults, arguments before variables, and one line that names what is wrong', async (t) => {
  const token = `pjt_${Buffer.from(JSON.stringify({ v: 1, s: 'x', f: 'a'.repeat(64), a: 'h:1' })).toString('base64url')}`;
  t.match(readProbeCommand([], {}), {
    kind: 'run',
    config: {
      dataDir: /\/picket-probe-data$/,
      join: null,
      allowPrivateTargets: false,
      logLevel: 'info',
      spoolBytesMax: 1024 ** 3,
      extraCaPem: null,
      dnsServers: null,
    },
  });
  t.match(readProbeCommand(['--join', token, '--data', '/a'], { PICKET_DATA_DIR: '/b' }), {
    config: { dataDir: '/a', join: { secret: 'x', addresses: ['h:1'] } },
  });
  t.match(
    readProbeCommand([], {
      PICKET_JOIN_TOKEN: token,
      PICKET_DATA_DIR: '/b',
      PICKET_ALLOW_PRIVATE_TARGETS: '1',
      PICKET_PROBE_SPOOL_BYTES: '1048576',
      PICKET_PROBE_DNS_SERVERS: '127.0.0.1:5300, [::1]:53,::1',
      PICKET_DNS_SERVERS: '192.0.2.1',
    }),
    {
      config: {
        dataDir: '/b',
        join: { secret: 'x' },
        allowPrivateTargets: true,
        spoolBytesMax: 1048576,
        dnsServers: ['127.0.0.1:5300', '[::1]:53', '::1'],
      },
    },
  );
  t.match(readProbeCommand(['--help'], {}), { kind: 'help' });
  t.match(readProbeCommand(['--version'], { PICKET_LOG_LEVEL: 'nonsense' }), { kind: 'version' });
  for (const [args, env, message] of [
    [['--join', 'nonsense'], {}, /^--join is wrong: a join token begins with pjt_$/],
    [['--joni', 'x'], {}, /^the command line is wrong: .*--joni/],
    [[], { PICKET_JOIN_TOKEN: 'x' }, /^PICKET_JOIN_TOKEN /],
    [[], { PICKET_LOG_LEVEL: 'loud' }, /^PICKET_LOG_LEVEL /],
    [[], { PICKET_ALLOW_PRIVATE_TARGETS: 'yes' }, /^PICKET_ALLOW_PRIVATE_TARGETS /],
    [[], { PICKET_PROBE_SPOOL_BYTES: '12' }, /^PICKET_PROBE_SPOOL_BYTES /],
    [[], { PICKET_EXTRA_CA: '/no/such/file' }, /^PICKET_EXTRA_CA cannot be read/],
    [[], { PICKET_EXTRA_CA: '/etc/hostname' }, /^PICKET_EXTRA_CA holds no PEM/],
    [[], { PICKET_PROBE_DNS_SERVERS: 'dns.example' }, /^PICKET_PROBE_DNS_SERVERS /],
  ] as const) {
    t.throws(() => readProbeCommand(args, env), { name: 'SettingError', message });
  }
});
