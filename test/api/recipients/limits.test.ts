import t from 'tap';
import type { ChannelDocument } from '../../../control-plane/notifications/documents.js';
import type { TestResult } from '../../../control-plane/notifications/schema.js';
import type { RecipientDocument } from '../../../control-plane/recipients/documents.js';
import {
  TEST_MAILS_PER_ADDRESS_PER_DAY_MAX,
  TEST_MAILS_PER_PERSON_PER_DAY_MAX,
} from '../../../control-plane/recipients/limits.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { startRecipients } from '../../helpers/recipients/app.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

t.test('an address gets so many test mails a day, from all workspaces together', async (t) => {
  const { app, channel, recipients, mailbox, later } = await startRecipients(t, mongo);
  const other = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, other);
  const address = 'tested@example.com';
  for (const id of [app.workspace.id, other.id]) await recipients.people.confirmEarlier(id, [address]);
  const [first, second] = [await channel([address]), await channel([address], { key })];
  const test = (id: string, as = app.key) => app.request<TestResult>('POST', `/v1/channels/${id}/test`, { key: as });
  const tests = Array.from({ length: TEST_MAILS_PER_ADDRESS_PER_DAY_MAX + 10 }, (_, index) => index);
  const statuses: number[] = [];
  await inParallel(tests, 5, async (index) => {
    statuses.push((await (index % 2 === 0 ? test(first.id) : test(second.id, key))).status);
  });
  t.equal(statuses.filter((status) => status === 200).length, TEST_MAILS_PER_ADDRESS_PER_DAY_MAX);
  t.equal(mailbox.mails.length, TEST_MAILS_PER_ADDRESS_PER_DAY_MAX);
  const refused = await test(first.id);
  t.match(refused, {
    status: 429,
    body: { code: 'rate_limited', detail: /tested@example\.com can get at most 20 test/ },
  });
  t.match(refused.headers.get('retry-after'), /^\d+$/);
  later(DAY_MS);
  t.equal((await test(first.id)).status, 200, 'on the next day');
});

t.test('a person sends so many test mails a day: a test to 20 addresses is 20', async (t) => {
  const { app, channel, recipients, mailbox } = await startRecipients(t, mongo);
  const ids: string[] = [];
  for (const part of [0, 1]) {
    const to = Array.from({ length: 20 }, (_, index) => `many-${part}-${index}@example.com`);
    await recipients.people.confirmEarlier(app.workspace.id, to);
    ids.push((await channel(to, { name: `Part ${part}` })).id);
  }
  const test = (index: number) => app.request<TestResult>('POST', `/v1/channels/${ids[index % 2]}/test`);
  for (let index = 0; index < TEST_MAILS_PER_PERSON_PER_DAY_MAX / 20; index += 1) {
    t.match(await test(index), { status: 200, body: { data: { status: 'sent' } } });
  }
  t.match(await test(0), { status: 429, body: { detail: /A person can send at most 100 test e-mails a day/ } });
  t.equal(mailbox.mails.length, TEST_MAILS_PER_PERSON_PER_DAY_MAX);
});

t.test('tests of one workspace do not delay the alert of another one at a slow mail server', async (t) => {
  const { app, channel, mailbox, open } = await startRecipients(t, mongo);
  const { id } = await channel([app.workspace.email]);
  const other = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, other);
  await channel([other.email], { key });
  const hanging = mailbox.hang();
  const tests = Array.from({ length: 10 }, () => app.request('POST', `/v1/channels/${id}/test`));
  await hanging;
  await open({}, other.id);
  await waitFor('the alert', 60_000, () => mailbox.mails.some(({ to: [first] }) => first === other.email));
  const before = mailbox.mails.filter(({ to: [first] }) => first === app.workspace.email).length;
  t.ok(before <= 2, `${before} tests were sent before it`);
  mailbox.resume();
  await Promise.all(tests);
});

t.test('a test contains no link of a user', async (t) => {
  const { app, channel, mailsTo } = await startRecipients(t, mongo);
  const name = 'Your mailbox is full - log in at https://evil.example/login';
  const { id } = await channel([app.workspace.email], { name });
  await app.request('POST', `/v1/channels/${id}/test`);
  const [mail] = await mailsTo(app.workspace.email);
  for (const part of ['text/plain', 'text/html']) {
    t.notMatch(mail?.parts[part], /https:\/\/evil|evil\.example/, part);
    t.match(mail?.parts[part], 'Your mailbox is full', 'the name is readable');
  }
  t.notMatch(mail?.headers['subject'], /https:\/\/evil|evil\.example/);
});

t.test('an alert contains no link of a user', async (t) => {
  const { app, channel, mailsTo, notify } = await startRecipients(t, mongo);
  await channel([app.workspace.email]);
  await notify({
    monitor_name: 'log in at https://evil.example',
    message: 'Open https://evil.example/now\nor www.evil.example',
  });
  const [mail] = await mailsTo(app.workspace.email);
  for (const part of ['text/plain', 'text/html']) t.notMatch(mail?.parts[part], /https:\/\/evil|evil\.example/, part);
  t.notMatch(mail?.headers['subject'], /https:\/\/evil|evil\.example/);
});

t.test('a mail server that fails halfway gets the rest, and nobody gets a notification twice', async (t) => {
  const { app, channel, recipients, mailbox, notify, notifications, later } = await startRecipients(t, mongo);
  const to = ['one@half.test', 'two@half.test', 'three@half.test'];
  await recipients.people.confirmEarlier(app.workspace.id, to);
  await channel(to);
  let refused = 0;
  // 421: the server is going down, so this says nothing about the recipient.
  mailbox.refuse((address) => (address.startsWith('two') && refused++ === 0 ? 421 : null));
  const waking = setInterval(() => {
    later(5_000);
    notifications.wake();
  }, 200);
  t.teardown(() => clearInterval(waking));
  t.match(await notify(), [{ status: 'sent', attempts: 2 }]);
  t.same(mailbox.mails.map(({ to: [first] }) => first).sort(), [...to].sort());
});

t.test('a recipient whom the mail server refuses for now gets the alert later', async (t) => {
  const { app, channel, recipients, mailbox, notify, notifications, later } = await startRecipients(t, mongo);
  const to = ['one@throttled.test', 'two@throttled.test', 'three@throttled.test'];
  await recipients.people.confirmEarlier(app.workspace.id, to);
  await channel(to);
  let refused = 0;
  // 450: this mailbox cannot take it now, such as when the server limits the rate.
  mailbox.refuse((address) => (address.startsWith('two') && refused++ === 0 ? 450 : null));
  const waking = setInterval(() => {
    later(5_000);
    notifications.wake();
  }, 200);
  t.teardown(() => clearInterval(waking));
  t.match(await notify(), [{ status: 'sent', attempts: 2, error: null }]);
  t.same(mailbox.mails.map(({ to: [first] }) => first).sort(), [...to].sort(), 'and the others get it once');
});

t.test('several control planes can confirm the same addresses at once', async (t) => {
  const { app, recipients } = await startRecipients(t, mongo);
  for (let round = 0; round < 20; round += 1) {
    const to = Array.from({ length: 10 }, (_, index) => `round-${round}-${index}@example.com`);
    const workspaceId = app.workspace.id;
    await Promise.all(Array.from({ length: 8 }, () => recipients.people.confirmEarlier(workspaceId, to)));
    const _id = { $in: to.map((address) => `${workspaceId}/${address}`) };
    const stored = await mongo.db.collection<RecipientDocument>('recipients').find({ _id }).toArray();
    t.equal(
      stored.filter(({ state, workspace_id }) => state === 'confirmed' && workspace_id === workspaceId).length,
      10,
    );
  }
});

t.test('the addresses of channels of earlier versions count as confirmed after an upgrade', async (t) => {
  const channels = mongo.db.collection<ChannelDocument>('channels');
  const { app, channel, notify, mailsTo, mailbox, read, notifications, oneClick } = await startRecipients(t, mongo);
  const { id } = await channel([app.workspace.email]);
  // As an earlier version has written it.
  const earlier = { $set: { config: { to: ['kept@example.com'] } }, $unset: { asks_recipients: '' } } as const;
  await channels.updateOne({ _id: id }, earlier);
  await Promise.all([notifications.ready(), notifications.ready()]);
  t.same((await read(id)).unconfirmed, []);
  t.match(await channels.findOne({ _id: id }), { asks_recipients: true, version: 1 });
  t.match(await notify(), [{ status: 'sent', error: null }]);
  const [alert] = await mailsTo('kept@example.com');
  const link = /^<(.*)>$/.exec(alert?.headers['list-unsubscribe'] ?? '')?.[1] ?? '';
  t.equal((await oneClick(link)).status, 200);
  await notifications.ready();
  t.same((await read(id)).unconfirmed, ['kept@example.com'], 'another start does not take the stop back');

  await channels.updateOne({ _id: id }, { ...earlier, $set: { config: { to: ['rolling@example.com'] } } });
  t.match(
    await notify(),
    [{ status: 'sent', error: null }],
    'nor is one mute that an earlier version creates meanwhile',
  );
  await channels.updateOne({ _id: id }, { ...earlier, $set: { config: { to: ['edited@example.com'] } } });
  const to = ['edited@example.com', 'added@example.com'];
  const changed = await app.request('PATCH', `/v1/channels/${id}`, { body: { config: { to } } });
  t.match(changed.body.data, { unconfirmed: ['added@example.com'] }, 'a change asks only who is new');
  await mailsTo('added@example.com');
  t.equal(mailbox.mails.filter(({ to: [first] }) => first === 'edited@example.com').length, 0);
});
