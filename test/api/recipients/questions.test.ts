import t from 'tap';
import type { Channel, TestResult } from '../../../control-plane/notifications/schema.js';
import {
  QUESTIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX,
  QUESTIONS_PER_ADDRESS_PER_DAY_MAX,
  QUESTIONS_PER_PERSON_PER_DAY_MAX,
} from '../../../control-plane/recipients/limits.js';
import { inParallel } from '../../../kernel/concurrency/in-parallel.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { confirmLinkOf, startRecipients, stopLinkOf } from '../../helpers/recipients/app.js';
import { WORKING } from '../../helpers/standing.js';

const DAY_MS = 86_400_000;

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

t.test('a stranger gets one mail that asks, and nothing else until the page of its link is confirmed', async (t) => {
  const { app, channel, read, mailsTo, notify, mailbox, get, press } = await startRecipients(t, mongo);
  const to = [app.workspace.email, 'Stranger@example.com'];
  const created = await channel(to, { name: 'Your mailbox is full: https://evil.example' });
  t.same(created.unconfirmed, ['Stranger@example.com'], 'with the spelling of the channel');
  const [question] = await mailsTo('stranger@example.com');
  t.match(question?.headers['subject'], /Do you want the alerts of/);
  const text = question?.parts['text/plain'] ?? '';
  t.ok(text.includes(app.workspace.name), 'it says which workspace');
  t.ok(text.replaceAll('\u200c', '').includes(app.workspace.email), 'and who asks');
  t.notMatch(question?.raw, /evil|mailbox is full/, 'and contains nothing of the channel');
  const stored = await mongo.db.collection('recipients').find().toArray();
  const token = new URL(confirmLinkOf(question)).searchParams.get('t') ?? '';
  t.notMatch(JSON.stringify(stored), token, 'only a hash of the token is stored');

  const [sent] = await notify();
  t.match(
    sent,
    { status: 'sent', attempts: 1, error: 'not confirmed: Stranger@example.com' },
    'the member gets theirs',
  );
  t.equal((await mailsTo(app.workspace.email)).length, 1);
  t.match((await read(created.id)).last_delivery, { status: 'sent' });

  for (const again of [1, 2]) {
    const page = await get(confirmLinkOf(question));
    t.equal(page.status, 200);
    t.match(page.text, /Do you want these alerts/, `opened ${again} times, it only asks: mail filters open links`);
  }
  t.match(await get(confirmLinkOf(question), 'de'), { text: /Möchten Sie diese Alarme/ });
  t.same((await read(created.id)).unconfirmed, ['Stranger@example.com']);
  t.match(await press(confirmLinkOf(question), 'confirm'), { status: 200, text: /You get the alerts/ });
  t.match(await press(confirmLinkOf(question), 'confirm'), { status: 200 }, 'a form that is sent twice is harmless');
  t.same((await read(created.id)).unconfirmed, []);
  t.match(await notify(), [{ status: 'sent', error: null }]);
  t.equal((await mailsTo('Stranger@example.com', 1)).length, 1);
  t.equal(mailbox.mails.filter(({ to: [first] }) => first?.toLowerCase() === 'stranger@example.com').length, 2);
  const entries = await mongo.db
    .collection('audit_log')
    .find({ 'resource.type': 'recipient' })
    .sort({ _id: 1 })
    .toArray();
  t.match(entries, [
    { action: 'recipient.asked', actor: { email: app.workspace.email }, resource: { id: 'stranger@example.com' } },
    {
      ...{ action: 'recipient.confirmed', user_agent: null },
      actor: { id: null, email: 'stranger@example.com', ip: null },
    },
  ]);
  t.equal(entries.length, 2);
});

t.test('where no recipient has confirmed, a notification and a test say so and nobody gets a mail', async (t) => {
  const { app, channel, read, mailsTo, notify, mailbox, metrics, lines } = await startRecipients(t, mongo);
  const { id } = await channel(['nobody@example.com']);
  await mailsTo('nobody@example.com');
  const [sent] = await notify();
  t.match(sent, { status: 'unconfirmed', sent_at_ms: null, error: 'not confirmed: nobody@example.com' });
  t.match(sent?.latest_attempts, [{ status: 'unconfirmed' }]);
  const test = await app.request<TestResult>('POST', `/v1/channels/${id}/test`);
  t.match(test.body.data, { status: 'unconfirmed', error: 'not confirmed: nobody@example.com' });
  t.match(await read(id), { last_delivery: { status: 'unconfirmed' }, last_test: { status: 'unconfirmed' } });
  t.equal(mailbox.mails.length, 1, 'only the mail that asks');
  t.equal(metrics.counts['unconfirmed:email'], 1);
  const logged = lines.filter(({ level, msg }) => level === 40 && /no recipient of its channel/.test(String(msg)));
  t.equal(logged.length, 1);
  t.notMatch(JSON.stringify(lines), 'nobody@example.com');
});

t.test('a confirmation is for one workspace', async (t) => {
  const { app, channel, mailsTo, press } = await startRecipients(t, mongo);
  await channel(['shared@example.com']);
  await press(confirmLinkOf((await mailsTo('shared@example.com'))[0]), 'confirm');
  t.same((await channel(['shared@example.com'], { name: 'Second' })).unconfirmed, []);
  const other = await buildWorkspace(mongo);
  const { key } = await buildKey(mongo, other);
  t.same((await channel(['shared@example.com'], { key })).unconfirmed, ['shared@example.com']);
  const [, question] = await mailsTo('shared@example.com', 2);
  t.ok(question?.parts['text/plain']?.includes(other.name), 'the other workspace asks for itself');
  t.same((await channel([app.workspace.email], { key })).unconfirmed, [app.workspace.email], 'its members are others');
});

t.test(
  'a change of a channel asks who is new, and a link that was replaced or has expired does not work',
  async (t) => {
    const { app, channel, mailsTo, mailbox, press, later, get } = await startRecipients(t, mongo);
    const { id } = await channel(['first@example.com']);
    const [old] = await mailsTo('first@example.com');
    const to = ['first@example.com', 'second@example.com'];
    const changed = await app.request<Channel>('PATCH', `/v1/channels/${id}`, { body: { config: { to } } });
    t.same(changed.body.data.unconfirmed, to);
    await mailsTo('second@example.com');
    t.equal(mailbox.mails.length, 2, 'who was asked is not asked again');
    const ask = (address: string) => app.request<Channel>('POST', `/v1/channels/${id}/ask`, { body: { address } });
    t.match(await ask('first@example.com'), { status: 202, body: { data: { unconfirmed: to } } });
    const [, fresh] = await mailsTo('first@example.com', 2);
    t.equal((await press(confirmLinkOf(old), 'confirm')).status, 404, 'the newer mail has replaced it');
    t.equal((await get(confirmLinkOf(old))).status, 404);
    t.match(await ask('third@example.com'), { status: 422 }, 'an address that the channel does not have');
    t.match(await ask(app.workspace.email), { status: 422 });
    later(8 * DAY_MS);
    t.equal((await press(confirmLinkOf(fresh), 'confirm')).status, 404, 'it has expired');
    await channel(['first@example.com'], { name: 'Later' });
    await mailsTo('first@example.com', 3);
  },
);

t.test('nobody can flood a stranger with questions', async (t) => {
  const { app, create, channel, mailsTo, mailbox, later } = await startRecipients(t, mongo);
  const spellings = Array.from({ length: 8 }, (_, index) => `victim+${index}@example.com`);
  const keys = await Promise.all(spellings.map(async () => (await buildKey(mongo, await buildWorkspace(mongo))).key));
  await inParallel(spellings, 4, async (address) => {
    const key = keys[spellings.indexOf(address)] ?? '';
    t.equal((await create([address], { key })).status, 201, 'the channel exists, and shows who is not confirmed');
  });
  const { id } = await channel(['victim@example.com']);
  const asked = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address: 'victim@example.com' } });
  t.match(asked, { status: 429, body: { detail: /can get at most 8 e-mails that ask/ } });
  t.match(asked.headers.get('retry-after'), /^\d+$/);
  await channel(['after@example.com'], { name: 'After' });
  await mailsTo('after@example.com');
  const got = mailbox.mails.filter(({ to: [first] }) => first?.startsWith('victim'));
  t.equal(got.length, QUESTIONS_PER_ADDRESS_OF_ALL_PER_DAY_MAX);
  later(DAY_MS);
  const next = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address: 'victim@example.com' } });
  t.equal(next.status, 202, 'on the next day');
});

t.test('the questions of one tenant leave a place for another, and the answer says who was not asked', async (t) => {
  const { app, create, channel, mailsTo } = await startRecipients(t, mongo);
  const to = 'ops@shared.example';
  const { id } = await channel([to]);
  const ask = () => app.request('POST', `/v1/channels/${id}/ask`, { body: { address: to } });
  for (let asked = 1; asked < QUESTIONS_PER_ADDRESS_PER_DAY_MAX; asked += 1) t.equal((await ask()).status, 202);
  t.match(await ask(), {
    status: 429,
    body: { detail: /at most 3 e-mails that ask for a confirmation of one person/ },
  });
  const again = await create(['ops+again@shared.example'], { name: 'Again' });
  t.match(Object(again.body), { warnings: [/^Not asked, .*: ops\+again@shared\.example\./] });
  const { key } = await buildKey(mongo, await buildWorkspace(mongo));
  const other = await create([to], { key });
  t.match([other.status, Object(other.body).warnings], [201, undefined]);
  await mailsTo(to, QUESTIONS_PER_ADDRESS_PER_DAY_MAX + 1);
});

t.test('a person has a quota of questions', async (t) => {
  const { app, create, channel } = await startRecipients(t, mongo);
  const addresses = (part: number, count: number) =>
    Array.from({ length: count }, (_, index) => `list-${part}-${index}@example.com`);
  const parts = [20, 20, QUESTIONS_PER_PERSON_PER_DAY_MAX - 40];
  for (const [part, count] of parts.entries()) t.equal((await create(addresses(part, count))).status, 201);
  const address = 'one-more@example.com';
  const { id, unconfirmed } = await channel([address]);
  t.same(unconfirmed, [address], 'the channel exists, but this one is not asked');
  t.equal(await mongo.db.collection('recipients').countDocuments({ address }), 0);
  const refused = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address } });
  t.match(refused, { status: 429, body: { detail: /A person can send at most 50 e-mails that ask/ } });
  t.equal((await create(addresses(0, 20))).status, 201, 'who was asked needs no question');
});

t.test("the operators' workspace asks nobody, and its mails to others can be stopped", async (t) => {
  const { channel, read, notify, mailsTo, mailbox, oneClick } = await startRecipients(t, mongo, { operators: true });
  const { id, unconfirmed } = await channel(['pager@example.com']);
  t.same(unconfirmed, []);
  t.match(await notify(), [{ status: 'sent', error: null }]);
  const [alert] = await mailsTo('pager@example.com');
  t.equal(mailbox.mails.length, 1, 'no mail that asks');
  t.equal((await oneClick(stopLinkOf(alert))).status, 200);
  t.same((await read(id)).unconfirmed, ['pager@example.com']);
});

t.test('without a mail server nothing is asked, and mails are skipped as before', async (t) => {
  const { app, channel, notify } = await startRecipients(t, mongo, { hasMailServer: false });
  const { id } = await channel(['unasked@example.com']);
  t.match(await notify(), [{ status: 'skipped', error: /PICKET_SMTP_URL/ }]);
  t.equal(await mongo.db.collection('recipients').countDocuments({ address: 'unasked@example.com' }), 0);
  const ask = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address: 'unasked@example.com' } });
  t.match(ask, { status: 409, body: { detail: /No mail server/ } });
});

t.test('until the address of an owner is confirmed, nobody is asked', async (t) => {
  const standingOf = async () => ({ ...WORKING, onlyTo: 'owner@example.com' });
  const started = await startRecipients(t, mongo, { standingOf });
  const { app, channel, mailbox, notify, mailsTo, oneClick, read } = started;
  const to = ['early@example.com', 'owner@example.com'];
  const { id, unconfirmed } = await channel(to);
  t.same(unconfirmed, ['early@example.com']);
  const ask = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address: 'early@example.com' } });
  t.match(ask, { status: 409, body: { detail: /Confirm your e-mail address first/ } });
  t.equal(mailbox.mails.length, 0);
  await channel(['owner@example.com'], { name: 'Own' });
  await notify();
  const [alert] = await mailsTo('owner@example.com');
  await oneClick(stopLinkOf(alert));
  t.same((await read(id)).unconfirmed, to, 'whose address it is can stop what somebody has begun in their name');
});
