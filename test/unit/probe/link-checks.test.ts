import { pino } from 'pino';
import t from 'tap';
import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import { createServerTime } from '../../../node-link/server-time.js';
import { createCanary } from '../../../probe/canary.js';
import type { CheckOutcome, CheckRequest } from '../../../probe/checks/outcome.js';
import { createRunner } from '../../../probe/runner.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { assignment } from '../../helpers/probe/assignment.js';

const logger = pino({ level: 'silent' });
const NOON = Date.UTC(2026, 0, 31, 12);

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

function running(clock: TestClock, overrides: Partial<Parameters<typeof createRunner>[0]> = {}) {
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
    semaphore: createSemaphore(100),
    serverTime,
    findAssignment: () => null,
    deliver: (result, urgent) => results.push({ ...result, urgent }),
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

/** Lets the started work reach its first wait, then advances the clock. */
async function pass(clock: TestClock, ms: number): Promise<void> {
  await clock.advance(0);
  await clock.advance(ms);
}

t.test(
  'a failed attempt is delivered at once, and the next one starts 5 s after its start, or at its end if that is later',
  async (t) => {
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
  },
);

t.test('a check that failed inside the probe has no result', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer((call) => (call === 0 ? { ...DOWN, inconclusive: true } : UP));
  probe.runner.runSlot(assignment('a', { retries: 1, retryDelayMs: 5_000 }), NOON);
  await pass(clock, 20_000);
  t.strictSame(probe.results, []);
  probe.runner.runSlot(assignment('a'), NOON + 60_000);
  await pass(clock, 1_000);
  t.match(probe.results, [{ up: true, slotMs: NOON + 60_000 }], 'the next slot is run as usual');
});

t.test('a slot is skipped and counted while the previous check still runs', async (t) => {
  const clock = testClock(NOON);
  const probe = running(clock);
  probe.answer(() => UP, 15_000);
  const assigned = assignment('a', { intervalSeconds: 10 });
  probe.runner.runSlot(assigned, NOON);
  await pass(clock, 10_000);
  probe.runner.runSlot(assigned, NOON + 10_000);
  await pass(clock, 10_000);
  probe.runner.runSlot(assigned, NOON + 20_000);
  await pass(clock, 15_000);
  t.strictSame(
    probe.results.map((result) => result.slotMs),
    [NOON, NOON + 20_000],
  );
  t.strictSame(probe.counts, { started: 2, skipped: 1 });
});

t.test('a command starts a check at once and only once, with its own assignment and slot', async (t) => {
  const clock = testClock(NOON);
  const assigned = assignment('a', { version: 7 });
  const probe = running(clock, { findAssignment: (id) => (id === 'a' ? assigned : null) });
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

t.test('removing a monitor ends its running check and its retries', async (t) => {
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

t.test('a stop waits 5 s for running checks, starts no others and cancels the rest', async (t) => {
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
  const stopping = hanging.runner.stop(5_000);
  await pass(clock, 5_001);
  await stopping;
  t.equal(hanging.results.length, 0);
});

t.test(
  'a semaphore limits concurrent checks; urgent ones run first; a check that waits until its next slot is skipped',
  async (t) => {
    const clock = testClock(NOON);
    const probe = running(clock, { semaphore: createSemaphore(2) });
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
    const semaphore = createSemaphore(1);
    const controller = new AbortController();
    await semaphore.acquire(false, controller.signal);
    const second = semaphore.acquire(false, controller.signal);
    controller.abort();
    t.equal(await second, false, 'a cancelled check stops waiting');
    t.equal(await semaphore.acquire(true, controller.signal), false);
    semaphore.release();
    t.equal(semaphore.running(), 0);
  },
);

t.test('canaries detect a broken network of the probe: ok while at least half of them are reachable', async (t) => {
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
  t.equal(canary.ok(), false, 'the same list again has no effect');
  down = new Set(['router.example']);
  await clock.advance(10_000);
  t.strictSame([canary.ok(), changes], [true, 2]);
  canary.watch([]);
  t.equal(canary.targets(), 0);
  canary.stop();
});
