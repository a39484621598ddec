import t from 'tap';
import { createConnectionAttempts } from '../../../node-link/attempts.js';
import { testClock } from '../../helpers/clock.js';

function attemptsAt(fraction: number) {
  const clock = testClock();
  const random = { fraction: () => fraction, bytes: (length: number) => Buffer.alloc(length) };
  const attempts = createConnectionAttempts({ clock, random });
  const lost = (wasWelcomed: boolean, retryAfterMs = 0) =>
    attempts.delayAfterMs({ refused: false, wasWelcomed, retryAfterMs });
  return { clock, attempts, lost };
}

t.test('after a loss, a node returns at a random time within the spread of the control plane', async (t) => {
  for (const fraction of [0, 0.25, 0.99]) {
    const { clock, attempts, lost } = attemptsAt(fraction);
    attempts.welcomed();
    attempts.spreadOver(30_000);
    await clock.advance(60_000);
    t.equal(lost(true), Math.floor(fraction * 5_000), 'soon, because perhaps no other node has lost its connection');
    t.equal(lost(false), Math.floor(fraction * 30_000), 'the control plane was away: many nodes return');
    t.equal(lost(false), Math.floor(fraction * 30_000));
  }
});

t.test('without a spread, the delays grow from half a second', async (t) => {
  const { clock, attempts, lost } = attemptsAt(0.5);
  attempts.welcomed();
  await clock.advance(60_000);
  t.same([lost(true), lost(false), lost(false), lost(false)], [250, 500, 1_000, 2_000]);
  t.equal(attempts.delayAfterMs({ refused: true, wasWelcomed: false, retryAfterMs: 7 }), 300_000);
});

t.test('a busy control plane decides when the node comes back', async (t) => {
  const { lost } = attemptsAt(0.5);
  t.equal(lost(false, 7_000), 7_000);
  t.equal(lost(false, 4_000_000_000), 300_000, 'within five minutes');
});
