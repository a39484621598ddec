import t from 'tap';
import { readInventory } from '../../../control-plane/servers/inventory/inventory.js';
import { createInventoryThrottle } from '../../../control-plane/servers/inventory/inventory-throttle.js';
import { createMinuteBudget } from '../../../control-plane/servers/samples/minute-budget.js';
import type { Inventory__Output } from '../../../proto/generated/picket/link/v1/Inventory.js';
import { messageType } from '../../../proto/load.js';
import { testClock } from '../../helpers/clock.js';

const MINUTE_MS = 60_000;
const SAMPLES_MAX = 120;

/** Fills the minute of this time. */
function fill(budget: ReturnType<typeof createMinuteBudget>, serverId: string, atMs: number): void {
  for (let sample = 0; sample < SAMPLES_MAX; sample++) budget.take(serverId, atMs, 1);
}

t.test('a delayed inventory starts the next ten seconds, and its place in the queue is free again', async (t) => {
  const clock = testClock();
  const stored: string[] = [];
  const store = async (serverId: string, inventory: string) => {
    stored.push(`${serverId} ${inventory}`);
    return true;
  };
  const throttle = createInventoryThrottle(clock, store, () => t.fail('each was stored'));
  for (let round = 1; round <= 150; round++) {
    t.ok(throttle.offer('srv_1', `${round}a`), `round ${round}: no place is lost`);
    t.ok(throttle.offer('srv_1', `${round}b`));
    await clock.advance(10_000);
    t.equal(stored.at(-1), `srv_1 ${round}b`);
    const count = stored.length;
    t.ok(throttle.offer('srv_1', `${round}c`));
    await clock.advance(9_999);
    t.equal(stored.length, count, 'nothing within ten seconds of the one that has waited');
    await clock.advance(1);
    t.equal(stored.at(-1), `srv_1 ${round}c`);
    await clock.advance(10_000);
  }
});

t.test('the minute budget remembers 64 minutes of a server', async (t) => {
  const budget = createMinuteBudget(testClock());
  fill(budget, 'srv_1', 0);
  for (let minute = 1; minute < 64; minute++) budget.take('srv_1', minute * MINUTE_MS, 1);
  t.notOk(budget.take('srv_1', 0, 1), 'the first of 64 is known');
  budget.take('srv_1', 64 * MINUTE_MS, 1);
  t.ok(budget.take('srv_1', 0, 1), 'the first of 65 is forgotten');
});

t.test('the minute budget forgets a server that was silent for ten minutes', async (t) => {
  const clock = testClock();
  const budget = createMinuteBudget(clock);
  fill(budget, 'srv_1', 0);
  fill(budget, 'srv_2', 0);
  await clock.advance(599_999);
  t.notOk(budget.take('srv_2', 0, 1));
  await clock.advance(1);
  budget.take('srv_3', 0, 1);
  t.notOk(budget.take('srv_2', 0, 1), 'it was heard a moment ago');
  t.ok(budget.take('srv_1', 0, 1));
});

t.test('200 disks and 200 interfaces with 20 addresses each are kept of an inventory', async (t) => {
  const many = <T>(count: number, one: T): T[] => Array.from({ length: count }, () => one);
  const type = messageType('Inventory');
  const interfaces = many(1_000, { name: 'eth0', addresses: many(1_000, '192.0.2.1') });
  const message = type.fromObject({ disks: many(1_000, { mount: '/' }), interfaces });
  const { inventory } = readInventory(type.toObject(message, { defaults: true }) as Inventory__Output, 0);
  t.equal(inventory?.disks.length, 200);
  t.equal(inventory?.interfaces.length, 200);
  t.ok(inventory?.interfaces.every(({ addresses }) => addresses.length === 20));
});
