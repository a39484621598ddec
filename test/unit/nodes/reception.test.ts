import t from 'tap';
import type { AgedControlPlane } from '../../../control-plane/nodes/presence/lost.js';
import { createReception } from '../../../control-plane/nodes/presence/reception.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

const NOW_MS = 1_700_000_000_000;
const RECEIVING: AgedControlPlane = {
  ...{ _id: 'a', stopped: false, age_ms: 20, waits_ms: -1, received_until_ms: null, seen_at_ms: NOW_MS },
};

t.test('without the database, the status of servers is known for three seconds after the last heartbeat', async (t) => {
  const clock = testClock();
  let isAvailable = true;
  const answer = async <T>(value: T): Promise<T> => {
    if (!isAvailable) throw new Error('no primary');
    return value;
  };
  const reception = createReception({
    store: {
      ensureIndexes: async () => {},
      beat: () => answer(undefined),
      leave: () => answer(undefined),
      newest: () => answer([RECEIVING]),
    },
    presenceStore: { holders: async () => new Map() },
    controlPlane: 'a',
    standingOf: async () => null,
    clock,
    logger: createLogger({ name: 'test', level: 'silent' }),
  });
  await reception.start();
  await clock.advance(0);
  t.equal(reception.receivedUntilMs(), NOW_MS + 20);
  isAvailable = false;
  await clock.advance(999);
  t.equal(reception.receivedUntilMs(), NOW_MS + 20 + 999);
  await clock.advance(60_000);
  t.equal(reception.receivedUntilMs(), NOW_MS + 20 + 3_000, 'nothing was received while the database was away');
  await reception.stop();
});
