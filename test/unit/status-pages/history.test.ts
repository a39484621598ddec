import t from 'tap';
import type { MonitorOfHistory } from '../../../control-plane/results/results.js';
import { createMonitorHistory } from '../../../control-plane/status-pages/facts/history.js';
import { systemClock } from '../../../kernel/clock.js';
import { createLogger } from '../../../kernel/logger.js';

const DAYS = { startsMs: [0], endMs: 86_400_000 } as never;
const logger = createLogger({ name: 'test', level: 'silent' });

function monitorsOf(workspace_id: string, count: number): MonitorOfHistory[] {
  return Array.from({ length: count }, (_, index) => ({ _id: `${workspace_id} ${index}`, workspace_id }) as never);
}

function countedHistory() {
  const read: string[] = [];
  const history = createMonitorHistory({
    logger,
    clock: systemClock,
    async hours({ _id }) {
      read.push(_id);
      await new Promise(setImmediate);
      return [];
    },
  });
  return { history, read };
}

t.test('pages of a workspace with many monitors delay those of another by one read each', async (t) => {
  const { history, read } = countedHistory();
  const many = history.of(monitorsOf('many', 1_000), DAYS, 'UTC');
  await history.of(monitorsOf('few', 1), DAYS, 'UTC');
  t.ok(read.length <= 10, `${read.length} reads`);
  await many;
  t.equal(read.length, 1_001);
});

t.test('they also do not push the history of others out of memory', async (t) => {
  const { history, read } = countedHistory();
  const few = monitorsOf('few', 10);
  await history.of(few, DAYS, 'UTC');
  // Each time zone has its own days.
  for (const zone of ['a', 'b', 'c']) await history.of(monitorsOf('many', 2_500), DAYS, zone);
  const before = read.length;
  await history.of(few, DAYS, 'UTC');
  t.equal(read.length, before);
});
