import { MongoClient } from 'mongodb';
import t from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import { settlementOf } from '../../../control-plane/notifications/delivery/row-result.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const MINUTE_MS = 60_000;
/** The database unlocks what a dead process has left after a minute or more. */
const CLAIMED_MS_MAX = 15_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const rows = mongo.db.collection<OutboxRow>('outbox');

/** Starts an app with a channel that is notified after five minutes, whose rows another control plane claims before. */
async function world(t: Parameters<typeof startOnCall>[0]) {
  const started = await startOnCall(t, mongo);
  const { app, clock, receiver } = started;
  const body = { type: 'webhook', name: 'Step', config: { url: `${receiver.url}/step` }, delay_minutes: 5 };
  const channel = (await app.request<{ id: string }>('POST', '/v1/channels', { body })).body.data.id;
  const outbox = createOutboxStore(mongo.db);
  return {
    ...{ ...started, outbox },
    claim: () =>
      outbox.claim(channel, clock.now() + 5 * MINUTE_MS, {
        ...{ holder: 'other', leaseMs: 5 * MINUTE_MS, rowsMax: 10, busyIncidents: [] },
      }),
    post: async (id: string, verb: string, of?: object) => {
      const { status } = await app.request('POST', `/v1/alerts/${id}/${verb}`, { body: of });
      if (status !== 200) throw new Error(`${verb} was answered ${status}`);
    },
  };
}

t.test('a silence that ends while a notification is withdrawn for it does not lose the notification', async (t) => {
  const { clock, incident, receiver, outbox, claim, post } = await world(t);
  receiver.behave({ status: 204 });
  const { _id: id } = await incident();
  await post(id, 'silence', { for_minutes: 30 });
  const [row] = await claim();
  if (row === undefined) throw new Error('nothing was claimed');
  await post(id, 'unsilence');
  const settlement = settlementOf({ kind: 'withdrawn', row, reason: 'silenced before it was sent' }, clock.now());
  t.equal(await outbox.settle([{ row, settlement }]), 1);
  t.match(await rows.findOne({ _id: row._id }), { state: 'pending', attempts: 0, holder: null });

  await post(id, 'silence', { for_minutes: 30 });
  const [again] = await claim();
  if (again === undefined) throw new Error('nothing was claimed');
  t.equal(await outbox.settle([{ row: again, settlement }]), 1);
  t.match(await rows.findOne({ _id: row._id }), { state: 'withdrawn' }, 'a later silence is one as any other');
});

t.test('a locked notification does not keep the others of its channel waiting', async (t) => {
  const { incident, claim } = await world(t);
  const [locked, free] = [await incident(), await incident()];
  const client = new MongoClient(mongo.uri);
  const session = client.startSession();
  t.teardown(async () => {
    await session.endSession();
    await client.close();
  });
  session.startTransaction();
  const lock = { $set: { error: 'withdrawn' } };
  await client.db().collection<OutboxRow>('outbox').updateMany({ incident_id: locked._id }, lock, { session });
  const startedMs = performance.now();
  t.match(await claim(), [{ incident_id: free._id, state: 'leased', holder: 'other' }]);
  t.ok(performance.now() - startedMs < CLAIMED_MS_MAX);
  t.equal(await rows.countDocuments({ state: 'leased' }), 1);
  await session.abortTransaction();
  t.match(await claim(), [{ incident_id: locked._id }]);
});
