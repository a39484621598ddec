import t from 'tap';
import { endOfStreamMs } from '../../../control-plane/live/streams/expiry.js';

const MINUTE_MS = 60_000;

t.test('streams that begin together end spread over twelve minutes, within an hour', (t) => {
  t.equal(endOfStreamMs(1_000, 0), 1_000 + 60 * MINUTE_MS);
  t.equal(endOfStreamMs(1_000, 0.5), 1_000 + 54 * MINUTE_MS);
  t.equal(endOfStreamMs(1_000, 1), 1_000 + 48 * MINUTE_MS);
  t.end();
});
