import type { Filter } from 'mongodb';
import t, { type Test } from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import type { ChannelDocument, OutboxRow } from '../../../control-plane/notifications/documents.js';
import { isMaxTimeExpired } from '../../../control-plane/storage/transaction.js';
import { type TestClock, testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocuments, openWithoutLimits } from '../../helpers/locked-monitor.js';
import { buildNotifications } from '../../helpers/notifications/build.js';
import { gatedReceiver } from '../../helpers/notifications/gated-receiver.js';
import { expectDeliveries, setUpDelivery } from '../../helpers/notifications/setup.js';
import { waitFor } from '../../helpers/wait.js';

/** The locks last for an hour, and so do the leases that a test does not end itself. */
const LEASE_MS = 3_600_000;
const WAIT_MS = 60_000;
/** Longer than claims leave locked rows alone, and than a holder has for its result after the end of the lock. */
const LATER_MS = 15_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
await buildNotifications(mongo).ensureIndexes();
const rows = mongo.db.collection<OutboxRow>('outbox');
const rowOf = async (incidentId: string) => {
  const row = await rows.findOne({ incident_id: incidentId });
  if (row === null) throw new Error('no such notification');
  return row;
};

t.test('a locked notification holds back no result and no due notification of others', async (t) => {
  const endless = await openWithoutLimits(mongo.uri);
  t.teardown(() => endless.close());
  // Nothing happens only because time passes: no poll, and no renewal of a lease.
  const clock = testClock(Date.now());
  const scene = await setUpDelivery(t, endless, { leaseMs: LEASE_MS, clock });
  const { receiver, controlPlane, webhook, incident, workspaceId } = scene;
  const slow = await gatedReceiver(t, 204);
  await controlPlane.channel(workspaceId, { type: 'webhook', name: 'slow', config: { url: slow.url } });
  const opened = await controlPlane.open(incident());
  await slow.gate.reached;
  await rows.updateOne({ incident_id: opened._id }, { $set: { lease_until: new Date(0) } });
  const unlock = await lock(t, 'outbox', { incident_id: opened._id });
  slow.gate.open();
  const { id: free } = await webhook({}, 'free');
  const other = await controlPlane.open(incident({ channels: [free] }));
  await waitFor('the result of another channel', WAIT_MS, async () => {
    await clock.advance(100);
    return (await rowOf(other._id)).state === 'sent';
  });

  const survivorClock = testClock(Date.now());
  const survivor = buildNotifications(endless, { leaseMs: LEASE_MS, clock: survivorClock });
  await survivor.notifications.start();
  t.teardown(() => survivor.notifications.stop());
  // It does not deliver, so only a scan of the others finds this.
  const due = await buildNotifications(mongo).open(incident({ channels: [free] }));
  await waitFor('a due notification', WAIT_MS, async () => {
    await survivorClock.advance(100);
    return (await rowOf(due._id)).state === 'sent';
  });
  t.equal((await rowOf(opened._id)).state, 'leased', 'it is still locked');
  await unlock();
  await waitFor('the result', WAIT_MS, async () => {
    await clock.advance(100);
    return (await rowOf(opened._id)).state === 'sent';
  });
  t.match(await rowOf(opened._id), { attempts: 1, fence: 1 });
  t.equal(slow.requests(), 1, 'it was sent once');
  t.equal(receiver.requests.length, 2);
});

t.test('results that are stored together with one of a locked notification are stored', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  for (let index = 0; index < 5; index++) await controlPlane.open(incident());
  const outbox = createOutboxStore(mongo.db, testClock());
  const claimed = await outbox.claim(id, Date.now(), claimOf({ rowsMax: 5 }));
  const [first, second] = [claimed[2]?._id ?? '', claimed[3]?._id ?? ''];
  const unlock = await lock(t, 'outbox', { _id: first });
  const results = claimed.map((row) => ({ row, settlement: { state: 'sent' as const, finished_ms: 1 } }));
  await rows.updateOne({ _id: second }, { $inc: { fence: 1 } });
  await t.rejects(outbox.settle(results), { name: 'RowsLocked', settled: 3, locked: new Set([first]) });
  t.equal(await rows.countDocuments({ state: 'sent' }), 3, 'all but those that are locked or claimed again');
  await unlock();
  t.equal(await outbox.settle(results.filter(({ row }) => row._id === first)), 1);
});

t.test('a locked notification is not claimed again before its holder could store the result', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  const [alive, dead, free] = [
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
    await controlPlane.open(incident()),
  ];
  const clock = testClock();
  const outbox = createOutboxStore(mongo.db, clock);
  const reclaim = () => inTime(() => outbox.reclaim(Date.now()));
  const claimed = await outbox.claim(id, Date.now(), claimOf({ rowsMax: 5, leaseMs: 1 }));
  t.equal(claimed.length, 3);
  const unlock = await lock(t, 'outbox', { incident_id: { $in: [alive._id, dead._id] } });
  t.equal(await reclaim(), 1, 'the one that is not locked');
  t.equal((await rowOf(free._id)).state, 'pending');
  t.equal(await reclaim(), 0);
  await unlock();
  t.equal(await reclaim(), 0, 'right after the end of the lock');
  const row = claimed.find((one) => one.incident_id === alive._id);
  if (row === undefined) throw new Error('it was not claimed');
  t.equal(await outbox.settle([{ row, settlement: { state: 'sent', finished_ms: 1 } }]), 1);
  await clock.advance(LATER_MS);
  t.equal(await reclaim(), 1, 'the other one');
  t.equal((await rowOf(dead._id)).state, 'pending');
});

t.test('while the channel of a receiver that is gone is locked, the lease is renewed', async (t) => {
  const { controlPlane, incident, workspaceId } = await setUpDelivery(t, mongo, { leaseMs: LEASE_MS });
  const gone = await gatedReceiver(t, 410);
  const config = { url: gone.url };
  const { id } = await controlPlane.channel(workspaceId, { type: 'webhook', name: 'gone', config });
  const opened = await controlPlane.open(incident());
  await gone.gate.reached;
  const first = Number((await rowOf(opened._id)).lease_until);
  const unlock = await lock(t, 'channels', { _id: id });
  gone.gate.open();
  await waitFor('a new lease', WAIT_MS, async () => Number((await rowOf(opened._id)).lease_until) > first);
  await unlock();
  await expectDeliveries(controlPlane, opened, ['webhook opened failed 1']);
  t.equal(gone.requests(), 1);
});

t.test('a channel that starts with one delivery finds the notification after locked ones', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const { id } = await webhook();
  const locked: string[] = [];
  for (let index = 0; index < 6; index++) locked.push((await controlPlane.open(incident()))._id);
  const free = await controlPlane.open(incident());
  const unlock = await lock(t, 'outbox', { incident_id: { $in: locked } });
  const { clock, claim, claimed, claimsWritten } = await claimsOf(t, id);
  t.match(await claimed(), [{ incident_id: free._id, state: 'leased' }]);
  const before = claimsWritten();
  t.same(await claim(), []);
  t.equal(claimsWritten(), before, 'the next claim does not try the locked ones again');
  await unlock();
  await clock.advance(LATER_MS);
  const [row] = await claimed();
  t.ok(row !== undefined && locked.includes(row.incident_id), 'a claim of the first one');
});

t.test('claims of many channels with locked notifications make few writes at a time', async (t) => {
  const { controlPlane, webhook, incident } = await setUpDelivery(t, mongo);
  await controlPlane.notifications.stop();
  const channels = [await webhook({}, 'a'), await webhook({}, 'b'), await webhook({}, 'c')];
  const free = await controlPlane.open(incident());
  await rows.updateMany({ incident_id: free._id }, { $inc: { next_attempt_ms: 30_000 } });
  for (let index = 0; index < 12; index++) await controlPlane.open(incident());
  await lock(t, 'outbox', { incident_id: { $ne: free._id } });

  const { client, db, close } = await openWithoutLimits(mongo.uri);
  t.teardown(close);
  const single = new Set<number>();
  let singleMax = 0;
  client.on('commandStarted', ({ requestId, commandName, command }) => {
    if (commandName === 'update' && command['updates'].length === 1) single.add(requestId);
    singleMax = Math.max(singleMax, single.size);
  });
  const ended = ({ requestId }: { requestId: number }) => single.delete(requestId);
  client.on('commandSucceeded', ended);
  client.on('commandFailed', ended);
  const outbox = createOutboxStore(db, testClock());
  // As of later, so that all are due, and the one that is not locked after the others.
  const claims = channels.map(({ id }) =>
    waitFor('a claim', WAIT_MS, async () => {
      const claimed = await outbox.claim(id, Date.now() + 60_000, claimOf({ rowsMax: 64 }));
      return claimed.length > 0 && claimed;
    }),
  );
  for (const claimed of await Promise.all(claims)) t.match(claimed, [{ incident_id: free._id }]);
  // Eight that look for locked rows, and the claim of each channel.
  t.ok(singleMax <= 8 + channels.length, `${singleMax} at a time`);
});

t.test('a notification whose claim took long is claimed again before it is sent', async (t) => {
  const clock = testClock(Date.now());
  const slow = await openWithoutLimits(mongo.uri);
  t.teardown(() => slow.close());
  let claims = 0;
  slow.client.on('commandStarted', ({ commandName, command }) => {
    if (commandName !== 'update' || command['update'] !== 'outbox') return;
    claims += 1;
    if (claims === 1) clock.stall(11_000);
  });
  const { receiver, controlPlane, webhook, incident } = await setUpDelivery(t, slow, { clock });
  await webhook();
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['webhook opened sent 1']);
  t.equal((await rowOf(opened._id)).fence, 2, 'the lease of the first claim could have ended while it was sent');
  t.equal(receiver.requests.length, 1);
});

function claimOf(over: { rowsMax: number; leaseMs?: number }) {
  return { holder: 'other', leaseMs: LEASE_MS, busyIncidents: [], ...over };
}

/** Repeats a call that a slow machine did not answer within the limits of the product. */
async function inTime<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!isMaxTimeExpired(error)) throw error;
    }
  }
}

/** Returns claims of one row of the channel, and how many of their writes to rows were no tries for locks. */
async function claimsOf(t: Pick<Test, 'teardown'>, channelId: string) {
  const { client, db, close } = await openWithoutLimits(mongo.uri);
  t.teardown(close);
  let claims = 0;
  client.on('commandStarted', ({ commandName, command }) => {
    // Tries for locks are transactions.
    if (commandName === 'update' && command['autocommit'] === undefined) claims += 1;
  });
  const clock: TestClock = testClock();
  const outbox = createOutboxStore(db, clock);
  const claim = () => inTime(() => outbox.claim(channelId, Date.now(), claimOf({ rowsMax: 1 })));
  return {
    clock,
    claimsWritten: () => claims,
    /** On a slow machine, a claim finds out only which rows are locked, so that the next one claims another. */
    claimed: () =>
      waitFor('a claim', WAIT_MS, async () => {
        const found = await claim();
        return found.length > 0 && found;
      }),
    claim,
  };
}

/** Locks documents as a control plane does that is killed between a write of its transaction and the commit. */
async function lock(
  t: Pick<Test, 'teardown'>,
  collection: 'outbox' | 'channels',
  filter: Filter<OutboxRow | ChannelDocument>,
): Promise<() => Promise<void>> {
  const unlock = await lockDocuments(mongo.uri, collection, filter);
  t.teardown(unlock);
  return unlock;
}
