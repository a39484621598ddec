import t from 'tap';
import { createLogger } from '../../../kernel/logger.js';
import { createPings } from '../../../node-link/pings.js';
import type { LinkStream, StreamEnd } from '../../../node-link/stream.js';
import { createStreamPair } from '../../../node-link/stream-pair.js';
import type { FromNode } from '../../../proto/generated/picket/link/v1/FromNode.js';
import { testClock } from '../../helpers/clock.js';

/** A stream that keeps what is written to it. */
function recordingStream(): LinkStream & { written: FromNode[] } {
  const written: FromNode[] = [];
  return { written, write: (message) => written.push(message) > 0, end: async () => {}, close: () => {} };
}

t.test('a node that was stalled does not take its own silence for that of the control plane', async (t) => {
  const clock = testClock();
  let silences = 0;
  const times: number[] = [];
  const pings = createPings({ clock, serverTime: (timeMs) => void times.push(timeMs) });
  const stream = recordingStream();
  pings.start(stream, () => void silences++);
  clock.stall(30_000);
  await clock.advance(0);
  t.equal(silences, 0, 'the answer may wait unread');
  pings.pong(1, 5);
  t.same(times, [5]);
  await clock.advance(10_000);
  t.match(stream.written, [{ ping: { nonce: 1 } }, { ping: { nonce: 2 } }]);
  await clock.advance(10_000);
  t.equal(silences, 1, 'a control plane that does not answer is noticed');
  pings.stop();
});

t.test('a node that was stalled while it connected still awaits its welcome', async (t) => {
  const clock = testClock();
  const ends: StreamEnd[] = [];
  const pair = createStreamPair({
    openStream: () => recordingStream(),
    message: () => {},
    writable: () => {},
    ended: (_opened, end) => void ends.push(end),
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  const credentials = {
    ...{ nodeId: 'prb_test', location: 'fra', credential: 'good', previous: null },
    ...{ authorityPem: '', addresses: [], issuedAtMs: 0 },
  };
  pair.open('127.0.0.1:1', credentials, { version: '1', protocol: 1 });
  clock.stall(30_000);
  await clock.advance(0);
  t.same(ends, [], 'the welcome may wait unread');
  await clock.advance(10_000);
  t.match(ends, [{ kind: 'lost', code: 'DEADLINE' }]);
  pair.close();
});
