import t from 'tap';
import { createOutboxStore } from '../../../control-plane/notifications/delivery/outbox-store.js';
import { settlementOf } from '../../../control-plane/notifications/delivery/row-result.js';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocuments, openWithoutLimits } from '../../helpers/locked-monitor.js';
import { startOnCall } from '../../helpers/on-call/app.js';
import { waitFor } from '../../helpers/wait.js';

const MINUTE_MS = 60_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const rows = mongo.db.collection<OutboxRow>('outbox');

/** Starts an app with a channel that is notified after five minutes, whose rows another control plane claims before. */
async function world(t: Parameters<typeof startOnCall>[0]) {
  const started = await startOnCall(t, mongo);
  const { app, clock, receiver } = started;
  const body = { type: 'webhook', name: 'Step', config: { url: `${receiver.url}/step` }, delay_minutes: 5 };
  const channel = (await app.request<{ id: string }>('POST', '/v1/channels', { body })).body.data.id;
  const endless = await openWithoutLimits(mongo.uri);
  t.teardown(() => endless.close());
  const outbox = createOutboxStore(endless.db, clock);
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
  const unlock = await lockDocuments<OutboxRow>(mongo.uri, 'outbox', { incident_id: locked._id });
  t.teardown(unlock);
  // On a slow machine, a claim finds out only which rows are locked, so that the next one claims another.
  const claimed = await waitFor('a claim', 60_000, async () => {
    const found = await claim();
    return found.length > 0 && found;
  });
  t.match(claimed, [{ incident_id: free._id, state: 'leased', holder: 'other' }]);
  t.equal(await rows.countDocuments({ state: 'leased' }), 1);
  await unlock();
  t.match(await claim(), [{ incident_id: locked._id }]);
});
