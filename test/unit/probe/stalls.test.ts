import { pino } from 'pino';
import t from 'tap';
import { createSemaphore } from '../../../kernel/concurrency/semaphore.js';
import { createStallWatch } from '../../../kernel/stalls/stall-watch.js';
import { createServerTime } from '../../../node-link/server-time.js';
import { createCanary } from '../../../probe/canary.js';
import type { Checker } from '../../../probe/checks/check.js';
import type { CheckOutcome } from '../../../probe/checks/outcome.js';
import { createStallProofChecker } from '../../../probe/checks/stall-proof.js';
import { createRunner } from '../../../probe/runner.js';
import type { CheckResult } from '../../../proto/generated/picket/link/v1/CheckResult.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { assignment } from '../../helpers/probe/assignment.js';

const logger = pino({ level: 'silent' });

/** A checker whose checks take a time and then fail if they took longer than their timeout, as real ones do. */
function timedChecker(clock: TestClock, tookMs: number): Checker & { starts: number } {
  const checker = {
    starts: 0,
    async run(request: { timeoutMs: number }): Promise<CheckOutcome> {
      checker.starts += 1;
      const startedMs = clock.monotonic();
      await clock.sleep(tookMs);
      const responseTimeMs = clock.monotonic() - startedMs;
      const up = responseTimeMs <= request.timeoutMs;
      const timings = { dnsMs: null, connectMs: null, tlsMs: null, ttfbMs: null, transferMs: null };
      const error = up ? null : { code: 'response_timeout' as const, message: 'too slow' };
      return { up, responseTimeMs, timings, httpStatus: null, error, certificate: null, address: null };
    },
  };
  return checker;
}

function harness(tookMs: number) {
  const clock = testClock();
  const checker = timedChecker(clock, tookMs);
  const stalls = createStallWatch(clock, () => {});
  const stallProof = createStallProofChecker({ checker, stalls, clock, logger });
  const results: CheckResult[] = [];
  const serverTime = createServerTime(clock);
  const runner = createRunner({
    checker: stallProof,
    semaphore: createSemaphore(10),
    serverTime,
    findAssignment: () => null,
    deliver: (result) => void results.push(result),
    events: { started: () => {}, skipped: () => {} },
    clock,
    logger,
  });
  return { clock, checker, stallProof, stalls, results, runner, serverTime };
}

t.test('a check under way over a stall is void: it is repeated at once and has one result', async (t) => {
  const { clock, checker, results, runner, serverTime } = harness(4_000);
  const slotMs = serverTime.now();
  runner.runSlot(assignment('mon_a', { timeoutMs: 10_000, retries: 1 }), slotMs);
  await clock.advance(1_000);
  clock.stall(20_000);
  await clock.advance(0);
  t.equal(checker.starts, 2, 'repeated without a delay');
  t.same(results, [], 'the void check has no result');
  await clock.advance(4_000);
  t.match(results, [{ up: true, final: true, attempt: 0, slotMs, responseTimeMs: 4_000 }]);
  t.equal(results[0]?.checkedAtMs, slotMs + 21_000, 'the time of the check that counts');
  await clock.advance(60_000);
  t.equal(checker.starts, 2);
});

t.test('a good result that a stall delayed is void too, because its response time is wrong', async (t) => {
  const { clock, results, runner, serverTime } = harness(100);
  runner.runSlot(assignment('mon_a', { timeoutMs: 10_000 }), serverTime.now());
  await clock.advance(50);
  clock.stall(3_000);
  await clock.advance(1_000);
  t.match(results, [{ up: true, responseTimeMs: 100 }]);
});

t.test('with a short timeout, a shorter stall makes a check void', async (t) => {
  const { clock, results, runner, serverTime } = harness(300);
  runner.runSlot(assignment('mon_a', { timeoutMs: 500 }), serverTime.now());
  await clock.advance(200);
  clock.stall(600);
  await clock.advance(1_000);
  t.match(results, [{ up: true, responseTimeMs: 300 }]);
});

t.test('a pause that leaves the target enough time changes nothing', async (t) => {
  const { clock, checker, results, runner, serverTime } = harness(12_000);
  runner.runSlot(assignment('mon_a', { timeoutMs: 10_000 }), serverTime.now());
  for (let pause = 0; pause < 8; pause += 1) {
    clock.stall(500);
    await clock.advance(1_000);
  }
  await clock.advance(1_000);
  t.equal(checker.starts, 1);
  t.match(results, [{ up: false, final: true, errorCode: 'response_timeout' }], 'a real failure is delivered');
});

t.test('a probe that is stalled again and again gives up without a result, and checks the next slot', async (t) => {
  const { clock, checker, results, runner, serverTime } = harness(1_000);
  const monitor = assignment('mon_a', { timeoutMs: 2_000, retries: 1, retryDelayMs: 100 });
  runner.runSlot(monitor, serverTime.now());
  for (let stall = 0; stall < 10; stall += 1) {
    await clock.advance(100);
    clock.stall(5_000);
    await clock.advance(0);
  }
  t.equal(checker.starts, 4, 'three repeats');
  await clock.advance(60_000);
  t.same(results, []);
  runner.runSlot(monitor, serverTime.now());
  await clock.advance(2_000);
  t.match(results, [{ up: true }]);
});

t.test('a cancelled check is not repeated', async (t) => {
  const { clock, checker, results, runner, serverTime } = harness(1_000);
  runner.runSlot(assignment('mon_a'), serverTime.now());
  await clock.advance(100);
  clock.stall(5_000);
  runner.cancel('mon_a');
  await clock.advance(10_000);
  t.equal(checker.starts, 1);
  t.same(results, []);
});

t.test('canaries that could not be checked say nothing about the network', async (t) => {
  const { clock, checker, stallProof } = harness(1_000);
  const canary = createCanary({ checker: stallProof, clock, changed: () => t.fail('the network is fine') });
  canary.watch(['tcp://127.0.0.1:1']);
  for (let stall = 0; stall < 4; stall += 1) {
    await clock.advance(100);
    clock.stall(8_000);
    await clock.advance(0);
  }
  t.ok(checker.starts >= 4);
  t.ok(canary.ok());
  canary.stop();
});
