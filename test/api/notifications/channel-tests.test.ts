import t from 'tap';
import { createChannelStore } from '../../../control-plane/notifications/channel-settings/store.js';
import type { Channel, TestResult } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { startReceiver } from '../../helpers/machine/webhook-receiver.js';
import { channelsAppWith, createChannelIn, VALID } from '../../helpers/notifications/channels-app.js';
import { startOnCall } from '../../helpers/on-call/app.js';

const EXCHANGE_TIMEOUT_MS = 500;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());
const appWith = channelsAppWith(t, mongo);
const app = await appWith({ allowPrivate: true });
const create = createChannelIn(app);

t.test('a test message is sent and its result is returned', async (t) => {
  const receiver = await startReceiver();
  const mailbox = await startMailbox();
  t.teardown(() => Promise.all([receiver.close(), mailbox.close()]));
  const mailing = await appWith({ allowPrivate: true, smtpUrl: mailbox.url, endpoint: receiver.url });
  const test = async (type: string, config: unknown, to = mailing) => {
    const { id } = (await create({ type, name: 'Tested', config }, to)).body.data;
    return (await to.request<TestResult>('POST', `/v1/channels/${id}/test`)).body.data;
  };
  t.match(await test('webhook', { url: receiver.url }), { status: 'sent', error: null, response_status: 200 });
  t.match(receiver.requests.at(-1)?.json, { type: 'channel.test', data: { channel: { name: 'Tested' } } });
  t.match(await test('pagerduty', VALID['pagerduty']), { status: 'sent' });
  t.same(
    receiver.requests.slice(-2).map((one) => one.json.event_action),
    ['trigger', 'resolve'],
    'a test resolves its alert at once',
  );

  receiver.behave({ status: 404, body: 'no_service' });
  t.match(await test('slack', { url: receiver.url }), {
    status: 'failed',
    error: 'HTTP 404: no_service',
    response_status: 404,
  });
  receiver.behave({ status: 404, body: 'Cannot POST /hooks/PATHSECRET, Bearer tk_TOKENSECRET' });
  const echoing = { url: new URL('/hooks/PATHSECRET', receiver.url).href, topic: 'alerts', token: 'tk_TOKENSECRET' };
  t.match(await test('ntfy', echoing), { error: 'HTTP 404: Cannot POST [secret], [secret]' }, 'shows no secret');
  receiver.behave({ status: 301, headers: { location: receiver.url } });
  t.match(await test('webhook', { url: receiver.url }), { status: 'failed', error: /redirect/, response_status: 301 });
  receiver.behave('hang');
  const impatient = await appWith({ allowPrivate: true, exchangeTimeoutMs: EXCHANGE_TIMEOUT_MS });
  const hung = await test('webhook', { url: receiver.url }, impatient);
  t.match(hung, { status: 'failed', error: /timeout/, response_status: null });
  t.ok(hung.duration_ms >= EXCHANGE_TIMEOUT_MS - 10, `${hung.duration_ms} ms`);
  receiver.behave({ status: 410 });
  const gone = await create({ type: 'webhook', name: 'x', config: { url: receiver.url } }, mailing);
  await mailing.request('POST', `/v1/channels/${gone.body.data.id}/test`);
  const after = await mailing.request<Channel>('GET', `/v1/channels/${gone.body.data.id}`);
  t.equal(after.body.data.enabled, true, 'a test does not disable the channel');
  t.match(after.body.data, { last_delivery: null, last_test: { at: /Z$/, status: 'failed', response_status: 410 } });
  t.equal(after.body.data.updated_at, gone.body.data.updated_at, 'a test changes no setting');

  t.match(await test('email', VALID['email']), { status: 'sent', response_status: 250 });
  t.same(mailbox.mails.map(({ to }) => to).sort(), [['ann@example.com'], ['bob@example.com']], 'neither is a member');
  t.match(mailbox.mails[0], { headers: { subject: 'TEST: Tested' } });
  mailbox.refuse((address) => (address.startsWith('ann') ? 550 : null));
  t.match(await test('email', VALID['email']), { status: 'sent', error: 'refused for ann@example.com' });
  mailbox.refuse(() => 550);
  t.match(await test('email', VALID['email']), { status: 'failed', response_status: 550 });
  t.match(await test('email', VALID['email'], app), { status: 'skipped', error: /PICKET_SMTP_URL/ });
});

t.test('what was sent before a change of the channel says nothing about the channel as it is now', async (t) => {
  const { app, channel, receiver } = await startOnCall(t, mongo);
  const id = await channel();
  const path = `/v1/channels/${id}`;
  const now = async () => (await app.request<Channel>('GET', path)).body.data;
  receiver.behave('hang');
  const tested = app.request<TestResult>('POST', `${path}/test`);
  await receiver.arrived(1);
  const config = { url: `${receiver.url}/another` };
  t.equal((await app.request('PATCH', path, { body: { config } })).status, 200);
  await receiver.close();
  t.match((await tested).body.data, { status: 'failed' });
  t.equal((await now()).last_test, null);

  const store = createChannelStore(mongo.db);
  const sent = { at_ms: app.parts.clock.now(), status: 'sent', response_status: 204, error: null } as const;
  const version = (await store.find(app.workspace.id, id))?.version ?? 0;
  await store.recordDelivery({ _id: id, workspace_id: app.workspace.id, version: version - 1 }, sent);
  t.equal((await now()).last_delivery, null);
  await store.recordDelivery({ _id: id, workspace_id: app.workspace.id, version }, sent);
  t.match((await now()).last_delivery, { status: 'sent' });
});
