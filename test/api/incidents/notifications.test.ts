import t from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { startOnCall } from '../../helpers/on-call/app.js';
import { waitFor } from '../../helpers/wait.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

t.test('an incident shows each attempt, and its channel the newest', async (t) => {
  const { app, clock, channel, incident, receiver, notifications } = await startOnCall(t, mongo);
  receiver.behave({ status: 503, body: 'down for maintenance' });
  const channelId = await channel();
  const channelNow = async () => (await app.request<Channel>('GET', `/v1/channels/${channelId}`)).body.data;
  t.equal((await channelNow()).last_delivery, null);
  const { _id: id } = await incident();
  const after = (attempts: number) =>
    waitFor(`${attempts} attempts`, 20_000, async () => {
      const { data } = (await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`)).body;
      const [sent] = data.notifications_sent;
      return sent?.attempts === attempts && sent.latest_attempts.length > 0 ? sent : null;
    });
  /** Makes the next attempt due, and lets it happen. */
  const retry = async () => {
    await clock.advance(1_000);
    await mongo.db.collection('outbox').updateMany({ incident_id: id }, { $set: { next_attempt_ms: clock.now() } });
    notifications.wake();
  };
  const iso = () => new Date(clock.now()).toISOString();
  const first = await after(1);
  t.match(first, { status: 'pending', latest_attempts: [{ at: iso(), status: 'failed', response_status: 503 }] });
  t.match(first?.latest_attempts[0]?.error, /503/);
  t.ok(Date.parse(first?.next_attempt_at ?? '') > clock.now(), 'the next attempt');
  /** It is written after the attempt. */
  const lastDelivery = () =>
    waitFor('the last delivery', 20_000, async () => {
      const newest = (await channelNow()).last_delivery;
      return newest?.at === iso() ? newest : null;
    });
  t.match(await lastDelivery(), { at: iso(), status: 'failed', response_status: 503, error: /503/ });

  for (let attempts = 2; attempts <= 11; attempts++) {
    await retry();
    await after(attempts);
  }
  receiver.behave({ status: 204 });
  await retry();
  const last = await after(12);
  t.match(last, { status: 'sent', next_attempt_at: null });
  t.equal(last?.latest_attempts.length, 10, 'the newest ten');
  t.match(last?.latest_attempts[0], { at: iso(), status: 'sent', response_status: 204, error: null });
  t.match(last?.latest_attempts[1], { status: 'failed' });
  const last_delivery = await lastDelivery();
  t.same(last_delivery, { at: iso(), status: 'sent', response_status: 204, error: null });
  const { body } = await app.request<Channel[]>('GET', '/v1/channels');
  t.same(body.data.find((one) => one.id === channelId)?.last_delivery, last_delivery);
});

t.test('an escalation step says when it is due; a test is no delivery', async (t) => {
  const { app, clock, incident, receiver } = await startOnCall(t, mongo);
  const created = await app.request<Channel>('POST', '/v1/channels', {
    body: { type: 'webhook', name: 'Step', config: { url: receiver.url }, delay_minutes: 10 },
  });
  const { id: channelId } = created.body.data;
  const { _id: id } = await incident();
  const shown = (await app.request<IncidentDetail>('GET', `/v1/alerts/${id}`)).body.data;
  t.match(shown.notifications_sent, [
    { attempts: 0, latest_attempts: [], next_attempt_at: new Date(clock.now() + 600_000).toISOString() },
  ]);
  t.equal((await app.request('POST', `/v1/channels/${channelId}/test`)).status, 200);
  t.equal((await app.request<Channel>('GET', `/v1/channels/${channelId}`)).body.data.last_delivery, null);
});
