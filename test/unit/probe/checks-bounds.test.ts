import { pino } from 'pino';
import t from 'tap';
import { createBoundedChecker } from '../../../probe/checks/bounded.js';
import type { CheckOutcome, CheckRequest } from '../../../probe/checks/outcome.js';
import { testClock } from '../../helpers/clock.js';

type CheckSteps = Parameters<typeof createBoundedChecker>[0]['steps'];

const TIMEOUT_MS = 2_000;
const GRACE_MS = 500;
const REQUEST: CheckRequest = { type: 'tcp', url: '127.0.0.1:1', timeoutMs: TIMEOUT_MS, http: null };

/** Starts a check with these steps on a clock that only the test advances. */
function start(steps: CheckSteps) {
  const clock = testClock();
  const logged: string[] = [];
  const log = pino({ level: 'info' }, { write: (line: string) => void logged.push(line) });
  const checker = createBoundedChecker({ steps, clock, log });
  let outcome: CheckOutcome | null = null;
  void checker.run(REQUEST, new AbortController().signal).then((ended) => {
    outcome = ended;
  });
  return { clock, logged, outcome: (): CheckOutcome | null => outcome };
}

t.test('a check whose steps do not stop ends half a second after its timeout', async (t) => {
  const unstoppable: CheckSteps = (_request, observed) => {
    observed.address = '127.0.0.1';
    observed.timings.connectMs = 12;
    return new Promise(() => undefined);
  };
  const { clock, logged, outcome } = start(unstoppable);
  await clock.advance(TIMEOUT_MS + GRACE_MS - 1);
  t.equal(outcome(), null, 'until then the steps may end by themselves');
  await clock.advance(1);
  t.match(outcome(), {
    up: false,
    responseTimeMs: TIMEOUT_MS + GRACE_MS,
    timings: { connectMs: 12 },
    address: '127.0.0.1',
    error: { code: 'response_timeout', message: 'the check did not end within 2.0 s' },
  });
  t.same(logged, []);
});

t.test('a later result of such a check is ignored', async (t) => {
  let end: (error: Error) => void = () => undefined;
  const { clock, outcome } = start(() => new Promise((_, reject) => (end = reject)));
  await clock.advance(TIMEOUT_MS + GRACE_MS);
  const first = outcome();
  end(new Error('too late'));
  await clock.advance(1);
  t.equal(outcome(), first);
  t.equal(first?.error?.code, 'response_timeout');
});

t.test('a check whose steps stop at the timeout ends with them', async (t) => {
  const { clock, outcome } = start(
    (_request, _observed, deadline) => new Promise((resolve) => deadline.onStop(() => resolve())),
  );
  await clock.advance(TIMEOUT_MS - 1);
  t.equal(outcome(), null);
  await clock.advance(1);
  t.match(outcome(), { up: true, responseTimeMs: TIMEOUT_MS });
});
