import t from 'tap';
import type { LogDocument } from '../../../control-plane/live/documents.js';
import { createLogReader } from '../../../control-plane/live/log-reader.js';
import { createLag } from '../../../control-plane/live/streams/lag.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

t.test('streams are behind when no read of the log that began in the last 5 s is complete', (t) => {
  const { lag, clock, changes } = harness();
  clock.stall(5_000);
  lag.tick();
  t.same(changes, []);
  clock.stall(1);
  lag.tick();
  lag.tick();
  t.same(changes, [true], 'once');
  t.equal(lag.ms(), 5_001);
  t.ok(lag.isBehind());
  lag.completed(clock.monotonic() - 4_000);
  t.equal(lag.ms(), 4_000, 'it is complete up to when the read began');
  t.end();
});

t.test('streams are in time again when reads are quick for some seconds', (t) => {
  const { lag, clock, changes } = harness();
  clock.stall(6_000);
  lag.tick();
  t.same(changes, [true]);
  for (let s = 0; s < 5; s += 1) {
    lag.completed(clock.monotonic() - 500);
    lag.tick();
    t.same(changes, [true], `not after ${s} s`);
    clock.stall(1_000);
  }
  lag.completed(clock.monotonic() - 500);
  lag.tick();
  t.same(changes, [true, false]);
  t.notOk(lag.isBehind());
  t.end();
});

for (const readMs of [2_600, 3_000, 3_900, 4_900]) {
  t.test(`reads that take ${readMs} ms keep the streams behind, and do not end it again and again`, (t) => {
    const { lag, clock, changes } = harness();
    const tickUntil = (untilMs: number) => {
      while (clock.monotonic() < untilMs) {
        clock.stall(100);
        if (clock.monotonic() % 1_000 === 0) lag.tick();
      }
    };
    for (let reads = 0; reads < 50; reads += 1) {
      const beganMs = clock.monotonic();
      tickUntil(beganMs + readMs);
      lag.completed(beganMs);
      tickUntil(clock.monotonic() + 200);
    }
    t.same(changes, [true]);
    t.end();
  });
}

function harness() {
  const clock = testClock();
  const changes: boolean[] = [];
  const logger = createLogger({ name: 'test', level: 'silent' });
  const lag = createLag({ clock, logger, onChange: (isBehind) => changes.push(isBehind) });
  return { lag, clock, changes };
}

t.test('reading ends although others append a document during each read', async (t) => {
  const clock = testClock();
  const newDocument = (_id: number): LogDocument => ({
    ...{ _id, at: new Date(clock.now()), covered_ms: clock.now() },
    entries: [],
  });
  let reads = 0;
  const delivered: number[] = [];
  const appended: number[] = [];
  const reader = createLogReader({
    log: {
      async ensureIndexes() {},
      async after(id) {
        reads += 1;
        if (reads > 100) throw new Error('it reads without end');
        return [newDocument(id + 1)];
      },
      newest: async () => [newDocument(1)],
      append: async () => true,
      start: async (proposed) => proposed,
    },
    sources: [],
    onLoaded: () => {},
    onAppended: ({ _id }) => appended.push(_id),
    onRead: () => delivered.push(appended.length),
    clock,
  });
  await reader.poll();
  await reader.poll();
  t.same(appended, [2, 3], 'one read for each poll');
  t.same(delivered, [1, 2], 'what was read is sent at once');
});
