import t from 'tap';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { buildKey, buildWorkspace } from '../../helpers/factories.js';
import { confirmLinkOf, PUBLIC_URL, startRecipients, stopLinkOf } from '../../helpers/recipients/app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

/** Starts an app with a channel to an address that has confirmed. */
async function withConfirmed(t: Parameters<typeof startRecipients>[0], address: string) {
  const app = await startRecipients(t, mongo);
  const channel = await app.channel([app.app.workspace.email, address]);
  await app.press(confirmLinkOf((await app.mailsTo(address))[0]), 'confirm');
  return { ...app, id: channel.id };
}

t.test('each mail to somebody who is not a member can be stopped by one click', async (t) => {
  const address = 'guest@example.com';
  const { app, id, read, notify, mailsTo, oneClick, get, mailbox } = await withConfirmed(t, address);
  await notify();
  const [question, alert] = await mailsTo(address, 2);
  for (const mail of [question, alert]) {
    t.equal(mail?.headers['list-unsubscribe-post'], 'List-Unsubscribe=One-Click');
    t.ok(stopLinkOf(mail).startsWith(`${PUBLIC_URL}/stop-emails?t=`), stopLinkOf(mail));
    t.ok(mail?.parts['text/plain']?.includes(stopLinkOf(mail)), 'and by a link in its text');
    t.ok(mail?.parts['text/html']?.includes(stopLinkOf(mail)));
  }
  const [own] = await mailsTo(app.workspace.email);
  t.equal(own?.headers['list-unsubscribe'], undefined, 'members have settings of their own');
  t.same([alert?.to, own?.to], [[address], [app.workspace.email]], 'the guest does not see the members');
  t.not(alert?.headers['message-id'], own?.headers['message-id']);

  t.match(await get(stopLinkOf(alert)), { status: 200, text: /Stop these e-mails\?/ });
  t.same((await read(id)).unconfirmed, [], 'opening the link stops nothing');
  t.match(await oneClick(stopLinkOf(alert)), { status: 200 });
  t.same((await read(id)).unconfirmed, [address]);
  t.match(await get(stopLinkOf(alert)), { status: 200, text: /The e-mails have stopped/ });
  const before = mailbox.mails.filter(({ to }) => to.includes(address)).length;
  t.match(await notify(), [{ status: 'sent', error: `not confirmed: ${address}` }]);
  await app.request('PATCH', `/v1/channels/${id}`, { body: { config: { to: [app.workspace.email] } } });
  const back = await app.request<Channel>('PATCH', `/v1/channels/${id}`, { body: { config: { to: [address] } } });
  t.same(back.body.data.unconfirmed, [address]);
  const ask = await app.request('POST', `/v1/channels/${id}/ask`, { body: { address } });
  t.match(ask, { status: 409, body: { detail: /has stopped the e-mails/ } });
  t.match(await notify(), [{ status: 'unconfirmed' }]);
  t.equal(mailbox.mails.filter(({ to }) => to.includes(address)).length, before, 'it gets nothing, no question either');
});

t.test('mail clients may send the one click as multipart form data', async (t) => {
  const address = 'multipart@example.com';
  const { id, read, notify, mailsTo, oneClick } = await withConfirmed(t, address);
  await notify();
  const [, alert] = await mailsTo(address, 2);
  const form = new FormData();
  form.set('List-Unsubscribe', 'One-Click');
  t.equal((await oneClick(stopLinkOf(alert), form)).status, 200);
  t.same((await read(id)).unconfirmed, [address]);
});

t.test('who has stopped the mails can take it back, and only then gets them again', async (t) => {
  const address = 'back@example.com';
  const { id, read, notify, mailsTo, oneClick, press } = await withConfirmed(t, address);
  const [question] = await mailsTo(address);
  await oneClick(stopLinkOf(question));
  t.equal((await press(confirmLinkOf(question), 'confirm')).status, 404, 'an old question does not start them again');
  t.match(await press(stopLinkOf(question), 'resume'), { status: 200, text: /get the e-mails again/ });
  t.same((await read(id)).unconfirmed, []);
  t.match(await notify(), [{ status: 'sent', error: null }]);
  const actions = await mongo.db
    .collection('audit_log')
    .find({ 'resource.id': address })
    .sort({ _id: 1 })
    .map(({ action }) => action)
    .toArray();
  t.same(actions, ['recipient.asked', 'recipient.confirmed', 'recipient.stopped', 'recipient.resumed']);
});

t.test('the link that stops cannot confirm an address that was only asked', async (t) => {
  const { channel, mailsTo, press, read } = await startRecipients(t, mongo);
  const { id } = await channel(['asked@example.com']);
  const [question] = await mailsTo('asked@example.com');
  await press(stopLinkOf(question), 'resume');
  t.same((await read(id)).unconfirmed, ['asked@example.com']);
});

t.test('taking a stop back restores what was before it, and confirms nothing', async (t) => {
  const { channel, mailsTo, press, oneClick, read, app } = await startRecipients(t, mongo);
  const address = 'never-confirmed@example.com';
  const { id } = await channel([address]);
  const [question] = await mailsTo(address);
  await oneClick(stopLinkOf(question));
  t.match(await press(stopLinkOf(question), 'resume'), { status: 200, text: /only after you have confirmed/ });
  t.same((await read(id)).unconfirmed, [address]);
  t.equal(
    (await app.request('POST', `/v1/channels/${id}/ask`, { body: { address } })).status,
    202,
    'can be asked again',
  );
});

t.test('a stop that an earlier version has stored ends unconfirmed', async (t) => {
  const address = 'earlier@example.com';
  const { id, read, mailsTo, oneClick, press } = await withConfirmed(t, address);
  const [question] = await mailsTo(address);
  await oneClick(stopLinkOf(question));
  await mongo.db.collection('recipients').updateOne({ address }, { $unset: { stopped_from: '' } });
  t.match(await press(stopLinkOf(question), 'resume'), { status: 200, text: /only after you have confirmed/ });
  t.same((await read(id)).unconfirmed, [address]);
});

t.test('a link that is not of this installation stops nothing', async (t) => {
  const address = 'forged@example.com';
  const { id, read, mailsTo, oneClick, get } = await withConfirmed(t, address);
  const [question] = await mailsTo(address);
  const link = new URL(stopLinkOf(question));
  const [signed = '', signature = ''] = (link.searchParams.get('t') ?? '').split('.');
  const other = Buffer.from(Buffer.from(signed, 'base64url').toString().replace('forged', 'victim')).toString(
    'base64url',
  );
  for (const token of [`${other}.${signature}`, `${signed}.${'A'.repeat(24)}`, signed, '', 'x'.repeat(2_000)]) {
    link.searchParams.set('t', token);
    t.equal((await oneClick(link.href)).status, 404);
    t.equal((await get(link.href)).status, 404);
  }
  t.same((await read(id)).unconfirmed, []);
});

t.test('a stop is of one workspace', async (t) => {
  const address = 'two@example.com';
  const { id, channel, read, app, mailsTo, oneClick, press } = await withConfirmed(t, address);
  const { key } = await buildKey(mongo, await buildWorkspace(mongo));
  const other = await channel([address], { key });
  const [, question] = await mailsTo(address, 2);
  await press(confirmLinkOf(question), 'confirm');
  await oneClick(stopLinkOf(question));
  t.same((await read(id)).unconfirmed, []);
  const there = await app.request<Channel>('GET', `/v1/channels/${other.id}`, { key });
  t.same(there.body.data.unconfirmed, [address]);
});
