import t from 'tap';
import type { OutboxRow } from '../../../control-plane/notifications/documents.js';
import type { Channel, TestResult } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { lockDocument } from '../../helpers/locked-monitor.js';
import { startOnCall } from '../../helpers/on-call/app.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
/** Locks a channel as a control plane does that is killed between a change of it and the commit. */
const lockChannel = (id: string) => lockDocument(mongo.uri, 'channels', id);

t.test('a locked channel holds back no delivery, and no last delivery of others', async (t) => {
  const { app, channel, incident, receiver } = await startOnCall(t, mongo);
  receiver.behave({ status: 204 });
  const [locked, free] = [await channel('Locked'), await channel('Free')];
  const lastDelivery = async (id: string) =>
    (await app.request<Channel>('GET', `/v1/channels/${id}`)).body.data.last_delivery;
  const sent = () => mongo.db.collection<OutboxRow>('outbox').countDocuments({ state: 'sent' });
  const unlock = await lockChannel(locked);
  t.teardown(unlock);
  await incident();
  await waitFor('both deliveries', 60_000, async () => (await sent()) === 2);
  t.match(await waitFor('the last delivery', 60_000, () => lastDelivery(free)), { status: 'sent' });
  t.equal(await lastDelivery(locked), null, 'it is still locked');
  t.equal(receiver.requests.length, 2, 'each was sent once');
  await unlock();
  await incident();
  t.match(await waitFor('the last delivery', 60_000, () => lastDelivery(locked)), { status: 'sent' });
});

for (const [name, answer] of [
  ['wants a pause', { status: 429, headers: { 'retry-after': '60' } }],
  ['is gone', { status: 410 }],
] as const) {
  t.test(`a locked channel whose receiver ${name} holds back no delivery`, async (t) => {
    const { app, channel, incident, receiver } = await startOnCall(t, mongo);
    const locked = await channel('Locked');
    const { config } = (await app.request<Channel>('GET', `/v1/channels/${locked}`)).body.data;
    const path = new URL(String(config['url'])).pathname;
    receiver.behave((request) => (request.path === path ? answer : { status: 204 }));
    const unlock = await lockChannel(locked);
    t.teardown(unlock);
    await incident();
    await receiver.arrived(1);
    await channel('Free');
    await incident();
    const outbox = mongo.db.collection<OutboxRow>('outbox');
    await waitFor('the other delivery', 60_000, async () => (await outbox.countDocuments({ state: 'sent' })) === 1);
    await unlock();
  });
}

t.test('a test is answered although its result cannot be kept', async (t) => {
  const { app, channel, receiver } = await startOnCall(t, mongo);
  receiver.behave({ status: 204 });
  const id = await channel();
  const unlock = await lockChannel(id);
  t.teardown(unlock);
  const tested = await app.request<TestResult>('POST', `/v1/channels/${id}/test`);
  t.equal(tested.status, 200);
  t.match(tested.body.data, { status: 'sent', response_status: 204 });
  const { body } = await app.request<Channel>('GET', `/v1/channels/${id}`);
  t.equal(body.data.last_test, null, 'it is still locked');
});
