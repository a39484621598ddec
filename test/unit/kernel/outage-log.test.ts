import { type Logger, pino } from 'pino';
import t from 'tap';
import { onceInOutage } from '../../../kernel/outage-log.js';
import { testClock } from '../../helpers/clock.js';

const MINUTE_MS = 60_000;
const away = () => Object.assign(new Error('connect ECONNREFUSED'), { name: 'Away' });

interface Line {
  msg: string;
  level: number;
  task?: string;
  failures?: number;
  repeated?: Record<string, number>;
  since?: string;
  until?: string;
}

/** A logger as the control plane has it, and the lines that it has written. */
function scene() {
  const lines: Line[] = [];
  const clock = testClock();
  const isSign = (error: unknown) => error instanceof Error && error.name === 'Away';
  const hooks = { logMethod: onceInOutage({ of: 'the database', isSign, clock }, (): Logger => logger) };
  const logger: Logger = pino({ base: null, hooks }, { write: (line: string) => void lines.push(JSON.parse(line)) });
  return { clock, logger, lines, written: () => lines.splice(0).map(({ msg }) => msg) };
}

t.test('an outage is written when it begins, once a minute and when it ends, not at each failure', async (t) => {
  const { clock, logger, lines, written } = scene();
  for (let second = 0; second < 59; second++) {
    for (let task = 0; task < 5; task++) logger.error({ err: away(), task }, `task ${task} failed`);
    await clock.advance(1_000);
  }
  const begin =
    'calls of the database fail: each message about it is written once a minute, and counted when it is repeated';
  t.same(written(), [begin, ...[0, 1, 2, 3, 4].map((task) => `task ${task} failed`)], 'six lines instead of 295');

  await clock.advance(1_000);
  const [still] = lines.splice(0);
  t.match(still, { msg: 'calls of the database still fail', level: 40, failures: 295 });
  t.same(still?.repeated, Object.fromEntries([0, 1, 2, 3, 4].map((task) => [`task ${task} failed`, 58])));

  for (const task of ['x', 'y']) logger.child({ task }).warn({ err: away() }, 'task 0 failed');
  await clock.advance(MINUTE_MS);
  t.match(
    lines.splice(0),
    [
      { msg: 'task 0 failed', task: 'x' },
      { failures: 297, repeated: { 'task 0 failed': 1 } },
    ],
    'children count too, and each minute one is written with its fields',
  );
  await clock.advance(MINUTE_MS);
  const [end] = lines.splice(0);
  t.match(end, { msg: 'no call of the database has failed for a minute', failures: 297 });
  t.equal(Date.parse(end?.until ?? '') - Date.parse(end?.since ?? ''), MINUTE_MS);
  await clock.advance(10 * MINUTE_MS);
  t.same(written(), []);

  logger.warn({ err: away() }, 'task 0 failed');
  t.same(written(), [begin, 'task 0 failed'], 'the next outage begins anew');
});

t.test('all other lines are written', async (t) => {
  const { logger, written } = scene();
  logger.warn({ err: away() }, 'failed');
  written();
  for (let times = 0; times < 2; times++) {
    logger.error({ err: new Error('a mistake') }, 'failed');
    logger.info({ err: undefined }, 'failed');
    logger.info('failed');
  }
  t.same(written(), Array(6).fill('failed'));
});

t.test('messages beyond the first hundred are counted together', async (t) => {
  const { clock, logger, lines, written } = scene();
  for (let task = 0; task < 150; task++) logger.warn({ err: away() }, `task ${task} failed`);
  t.equal(written().length, 101);
  await clock.advance(MINUTE_MS);
  t.same(lines[0]?.repeated, { 'other messages': 50 });
});
