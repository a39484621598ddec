import t from 'tap';
import { createMailServer } from '../../../control-plane/mail/mail-server.js';
import { createEmailChannel } from '../../../control-plane/notifications/channels/email.js';
import { paceOf } from '../../../control-plane/notifications/delivery/queues/places.js';
import { createSend } from '../../../control-plane/notifications/delivery/send.js';
import type { ChannelDocument } from '../../../control-plane/notifications/documents.js';
import type { Message } from '../../../control-plane/notifications/message.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { createLogger } from '../../../kernel/logger.js';
import { systemRandom } from '../../../kernel/random.js';
import { testClock } from '../../helpers/clock.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { buildNotifications } from '../../helpers/notifications/build.js';
import { expectDeliveries, setUpDelivery } from '../../helpers/notifications/setup.js';
import { allMembers, askNobody } from '../../helpers/recipients/all-members.js';
import { allWork } from '../../helpers/standing.js';

const TO = ['ann@example.com'];

const mongo = await testDatabase();
await buildNotifications(mongo).ensureIndexes();
t.teardown(() => mongo.drop());

t.test('a mail server that takes longer than a lease gets a notification once', async (t) => {
  const mailbox = await startMailbox();
  const leaseMs = 1_500;
  const options = { smtpUrl: mailbox.url, leaseMs };
  const { controlPlane, workspaceId, incident } = await setUpDelivery(t, mongo, options);
  const other = buildNotifications(mongo, options);
  await other.notifications.start();
  t.teardown(async () => {
    await other.notifications.stop();
    await mailbox.close();
  });
  await controlPlane.channel(workspaceId, { type: 'email', name: 'mail', config: { to: TO } });
  mailbox.slow(3 * leaseMs);
  const opened = await controlPlane.open(incident());
  await expectDeliveries(controlPlane, opened, ['email opened sent 1']);
  t.equal(mailbox.mails.length, 1);
});

const MESSAGE = {
  ...{ id: 'inc_1:opened:chn_1', kind: 'opened', incidentId: 'inc_1', title: 'DOWN: Shop', text: 'Shop is down.' },
  ...{ facts: [], link: 'http://picket.test/incidents/inc_1', runbookLink: null, runbookLabel: '' },
  actionLink: null,
} as unknown as Message;

/** Sends e-mails through a real mail server, with a clock that the test moves. */
async function sending(t: Pick<typeof import('tap').default, 'teardown'>) {
  const mailbox = await startMailbox();
  const logger = createLogger({ name: 'test', level: 'silent' });
  const server = createMailServer({ smtpUrl: mailbox.url, from: 'picket@picket.test' });
  const email = createEmailChannel({ server, logger });
  t.teardown(async () => {
    await email.close();
    await mailbox.close();
  });
  const clock = testClock();
  const box = createSecretBox(Buffer.alloc(32, 1), systemRandom);
  const sealed = box.seal('{"config":{},"signingSecret":null}', { purpose: 'channel', id: 'chn_1' });
  const channel = { _id: 'chn_1', type: 'email', config: { to: TO }, sealed, masks: {} } as unknown as ChannelDocument;
  const send = createSend({
    channels: { email } as never,
    box,
    standingOf: allWork,
    recipients: allMembers,
    askUnasked: askNobody,
    clock,
  });
  return {
    ...{ mailbox, clock },
    send: (over: Partial<Message> = {}) => send(channel, { ...MESSAGE, ...over }, new AbortController().signal),
  };
}

t.test('a mail server has a minute to confirm a notification', async (t) => {
  const { mailbox, clock, send } = await sending(t);
  mailbox.slow(1_000);
  const confirmed = send();
  await mailbox.arrived(1);
  await clock.advance(59_000);
  t.match(await confirmed, { kind: 'sent' }, 'confirmed after most of it');
});

t.test('a mail server that does not confirm a notification within a minute gets it again', async (t) => {
  const { mailbox, clock, send } = await sending(t);
  mailbox.hang();
  const hanging = send();
  await mailbox.arrived(1);
  await clock.advance(60_000);
  t.match(await hanging, { kind: 'retry', error: /too long/ });
});

t.test('a test of a channel waits for its mail server no longer than a person does', async (t) => {
  const { mailbox, clock, send } = await sending(t);
  mailbox.hang();
  const tested = send({ kind: 'test' });
  await mailbox.arrived(1);
  await clock.advance(16_000);
  t.match(await tested, { kind: 'retry', error: /too long/ });
});

t.test('a mail that waits for a connection is not sent when its time is up', async (t) => {
  const { mailbox, clock, send } = await sending(t);
  mailbox.hang();
  const begun = Array.from({ length: 5 }, () => send());
  await mailbox.arrived(5);
  const waiting = send();
  await clock.advance(16_000);
  const busy = await waiting;
  t.match(busy, { kind: 'retry', error: /busy with other e-mails/ });
  t.equal(paceOf(busy.durationMs), 'slow', 'such channels leave places to others');
  await clock.advance(44_000);
  for (const outcome of await Promise.all(begun)) t.match(outcome, { error: /too long/ });
  mailbox.resume();
  t.match(await send(), { kind: 'sent' }, 'the places are free again');
  t.equal(mailbox.mails.length, 6, 'the one that waited was never sent');
});

t.test('the wait for a connection does not show a channel as slow if it gets one', async (t) => {
  const { mailbox, clock, send } = await sending(t);
  mailbox.hang();
  const begun = Array.from({ length: 5 }, () => send());
  await mailbox.arrived(5);
  mailbox.resume();
  await clock.advance(48_000);
  const waiting = send();
  await clock.advance(13_000);
  for (const outcome of await Promise.all(begun)) t.equal(paceOf(outcome.durationMs), 'slow', 'a minute each');
  const { kind, durationMs } = await waiting;
  t.equal(kind, 'sent');
  t.equal(paceOf(durationMs), 'prompt', `${durationMs} ms, of 12 s that it waited none`);
});
