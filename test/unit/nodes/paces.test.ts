import t from 'tap';
import { createMessagePace } from '../../../control-plane/nodes/streams/limits/message-pace.js';
import { createStreamPace } from '../../../control-plane/nodes/streams/limits/stream-pace.js';
import { testClock } from '../../helpers/clock.js';

t.test('a node opens 20 streams at once, then one every two seconds; 20,000 credentials are remembered', async (t) => {
  const clock = testClock();
  const pace = createStreamPace(clock);
  for (let stream = 0; stream < 20; stream++) t.equal(pace.waitMs('node'), 0);
  t.equal(pace.waitMs('node'), 2_000);
  await clock.advance(2_000);
  t.equal(pace.waitMs('node'), 0);
  for (let guess = 1; guess < 20_000; guess++) pace.waitMs(`guess ${guess}`);
  t.equal(pace.waitMs('node'), 0, 'a flood of wrong credentials takes no more memory: all are forgotten');
});

for (const [kind, burst, perSecond] of [
  ['agent', 200, 20],
  ['probe', 2_000, 500],
] as const) {
  t.test(
    `the messages of one ${kind}: ${burst} at once, then ${perSecond} per second; 4 KiB count as one more`,
    async (t) => {
      const small = createMessagePace(kind, testClock());
      for (let message = 1; message < burst; message++) t.equal(small.received(4_095), 0);
      t.ok(small.received(0) <= 1, 'the burst is used up');
      t.equal(Math.round(small.received(0)), Math.round(1_000 / perSecond));

      const large = createMessagePace(kind, testClock());
      t.equal(Math.round(large.received(4_096 * (burst + perSecond - 1))), 1_000);
    },
  );
}
