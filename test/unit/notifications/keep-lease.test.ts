import t from 'tap';
import { createLeaseKeeper } from '../../../control-plane/notifications/delivery/keep-lease.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { createLogger } from '../../../kernel/logger.js';
import { testClock } from '../../helpers/clock.js';

const LEASE_MS = 60_000;
const THIRD_MS = LEASE_MS / 3;
const logger = createLogger({ name: 'test', level: 'silent' });

/** Returns a keeper whose renewals take this long. */
function keeper(renewalMs: number) {
  const clock = testClock();
  const renewedAtMs: number[] = [];
  const outbox = {
    async renew() {
      renewedAtMs.push(clock.monotonic());
      clock.stall(renewalMs);
      return true;
    },
  };
  const row = { _id: 'row' } as OutboxRow;
  return { clock, renewedAtMs, keep: createLeaseKeeper({ outbox, leaseMs: LEASE_MS, clock, logger }, row) };
}

t.test('a lease is renewed when a third of it is over', async (t) => {
  const { clock, renewedAtMs, keep } = keeper(0);
  for (let look = 0; look < 6; look++) {
    await keep();
    await clock.advance(THIRD_MS / 2);
  }
  t.same(renewedAtMs, [0, THIRD_MS, 2 * THIRD_MS]);
});

t.test('the time that a renewal takes is part of its lease', async (t) => {
  const { renewedAtMs, keep } = keeper(THIRD_MS);
  for (let look = 0; look < 3; look++) await keep();
  t.same(renewedAtMs, [0, THIRD_MS, 2 * THIRD_MS]);
});
