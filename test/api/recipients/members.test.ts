import t, { type Test } from 'tap';
import type { MembershipDocument, UserDocument } from '../../../control-plane/accounts/documents.js';
import { createEndMemberAccess } from '../../../control-plane/accounts/member-access.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { ChannelDocument } from '../../../control-plane/notifications/documents.js';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import type { Role } from '../../../control-plane/roles.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { confirmLinkOf, startRecipients, stopLinkOf } from '../../helpers/recipients/app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const AFTER = 'after@example.com';
const ACTION = /\/on-call\?t=/;

const users = mongo.db.collection<UserDocument>('users');
const memberships = mongo.db.collection<MembershipDocument>('memberships');

/** Adds a person with a workspace of their own to the workspace. */
async function addMember(workspaceId: string, role: Role = 'member') {
  const { email, userId } = await buildWorkspace(mongo);
  const _id = membershipId(workspaceId, userId);
  const member = { workspace_id: workspaceId, user_id: userId, role, created_at_ms: Date.now() } as const;
  await memberships.insertOne({ _id, ...member });
  return { email, userId, remove: () => memberships.deleteOne({ _id }) };
}

/** Starts the app, with what ends the alerts to addresses of members. */
async function start(t: Test, options: Parameters<typeof startRecipients>[2] = {}) {
  const started = await startRecipients(t, mongo, options);
  const { app, notifications } = started;
  const [endAlerts] = notifications.memberAccess ?? [];
  if (endAlerts === undefined) throw new Error('the slice ends nothing');
  /** Ends them for a person with this role from now on; resolves to what the audit entry says. */
  const end = (userId: string, email: string, role: Role | null = null) =>
    app.parts.runTransaction((tx) =>
      createEndMemberAccess(() => [endAlerts])(tx, { workspaceId: app.workspace.id, userId, email, role }),
    );
  return { ...started, end };
}

for (const operators of [false, true]) {
  const where = operators ? ' of the operators’ workspace' : '';
  t.test(`after a member${where} has left, their address must confirm, and then gets no action link`, async (t) => {
    const { channel, read, notify, mailsTo, mailbox, press, app, end } = await start(t, { operators });
    const { email, userId, remove } = await addMember(app.workspace.id);
    const spelled = email.replace(/^usr/, 'Usr');
    const { id } = await channel([spelled], { name: 'Night shift' });
    const shared = await channel([app.workspace.email, email], { name: 'Team' });
    await notify({ channels: [id] });
    const [first] = await mailsTo(spelled);
    t.match(first?.parts['text/plain'], ACTION, 'a member can acknowledge');

    const ended = await end(userId, email);
    await remove();
    t.same(ended, {
      ...{ channels_to_confirm: 2, notify_nobody: 1 },
      notify_nobody_names: [{ type: 'channel', id, name: 'Night shift' }],
    });
    t.same((await read(id)).unconfirmed, [spelled]);
    t.match(await notify({ channels: [id] }), [{ status: 'unconfirmed' }]);
    t.match(await notify({ channels: [shared.id] }), [{ status: 'sent', error: `not confirmed: ${email}` }]);
    t.equal((await app.request('PATCH', `/v1/channels/${id}`, { body: { name: 'Nights' } })).status, 200);
    await app.request('POST', '/v1/channels', { body: { type: 'email', name: 'Asked', config: { to: [AFTER] } } });
    if (!operators) await mailsTo(AFTER);
    t.equal(mailbox.mails.filter(({ to }) => to.includes(email)).length, 0, 'Picket itself does not ask');
    t.equal((await app.request('POST', `/v1/channels/${shared.id}/ask`, { body: { address: email } })).status, 202);
    const [question, ...others] = await mailsTo(email);
    t.match([question?.headers['subject'], others.length], [/^Do you want the alerts of /, 0], 'one question only');
    t.equal((await press(confirmLinkOf(question), 'confirm')).status, 200);
    t.same((await read(shared.id)).unconfirmed, []);
    t.match(await notify({ channels: [shared.id] }), [{ status: 'sent', error: null }]);
    const alert = (await mailsTo(email, 2)).at(-1);
    t.match(stopLinkOf(alert), /^https:/);
    t.notMatch(JSON.stringify(alert?.parts), ACTION);
  });
}

t.test(
  'an address that was asked before its owner became a member is asked again when somebody adds it anew',
  async (t) => {
    const { channel, read, mailsTo, press, app, end } = await start(t);
    const { email, userId, remove } = await addMember(app.workspace.id);
    await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: null } });
    const { id, unconfirmed } = await channel([email]);
    t.same(unconfirmed, [email]);
    const link = confirmLinkOf((await mailsTo(email))[0]);
    await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: 1 } });
    await end(userId, email);
    await remove();
    t.equal((await press(link, 'confirm')).status, 404, 'the question from before does not work');
    t.same((await read(id)).unconfirmed, [email]);
    await channel([email], { name: 'Anew' });
    await mailsTo(email, 2);
  },
);

t.test('a former member cannot take the alerts back with the link of an old e-mail', async (t) => {
  const { channel, read, notify, mailsTo, mailbox, press, oneClick, app, end } = await start(t);
  const { id } = await channel(['placeholder@example.com'], { name: 'Night shift' });
  const set = (to: string[]) => app.request('PATCH', `/v1/channels/${id}`, { body: { config: { to } } });
  for (const stops of ['after', 'before'] as const) {
    const { email, userId, remove } = await addMember(app.workspace.id);
    await remove();
    await set([app.workspace.email, email]);
    const [question] = await mailsTo(email);
    await press(confirmLinkOf(question), 'confirm');
    if (stops === 'before') await oneClick(stopLinkOf(question));
    await memberships.insertOne({
      ...{ _id: membershipId(app.workspace.id, userId), workspace_id: app.workspace.id, user_id: userId },
      ...{ role: 'member', created_at_ms: Date.now() },
    });
    await end(userId, email);
    await remove();
    if (stops === 'after') t.equal((await oneClick(stopLinkOf(question))).status, 200);
    t.match(await press(stopLinkOf(question), 'resume'), { status: 200, text: /only after you have confirmed/ }, stops);
    t.same((await read(id)).unconfirmed, [email], stops);
    t.match(await notify({ channels: [id] }), [{ status: 'sent', error: `not confirmed: ${email}` }]);
    t.equal(mailbox.mails.filter(({ to }) => to.includes(email)).length, 1, 'no question either');
    t.equal((await app.request('POST', `/v1/channels/${id}/ask`, { body: { address: email } })).status, 202);
    const [, again] = await mailsTo(email, 2);
    await press(confirmLinkOf(again), 'confirm');
    t.same((await read(id)).unconfirmed, [], 'somebody of the workspace wants it back');
  }
});

t.test('a person who has stopped the e-mails is not asked when they leave', async (t) => {
  const { channel, mailsTo, press, oneClick, notify, mailbox, app, end } = await start(t);
  const { email, userId, remove } = await addMember(app.workspace.id);
  await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: null } });
  await channel([email]);
  const [question] = await mailsTo(email);
  await press(confirmLinkOf(question), 'confirm');
  await oneClick(stopLinkOf(question));
  await end(userId, email);
  await remove();
  t.match(await notify(), [{ status: 'unconfirmed' }]);
  await channel(['after@example.com'], { name: 'After' });
  await mailsTo('after@example.com');
  t.equal(mailbox.mails.filter(({ to }) => to.includes(email)).length, 1);
});

t.test('of the members, those who may only read get no action link, and keep their alerts', async (t) => {
  const { channel, notify, mailsTo, app, end } = await start(t);
  const { email, userId } = await addMember(app.workspace.id, 'viewer');
  const { id } = await channel([app.workspace.email, email]);
  t.same(await end(userId, email, 'viewer'), {});
  t.match(await notify({ channels: [id] }), [{ status: 'sent', error: null }]);
  const [[toOwner], [toViewer]] = [await mailsTo(app.workspace.email), await mailsTo(email)];
  t.same([toOwner?.to, toViewer?.to], [[app.workspace.email], [email]]);
  t.match(toOwner?.parts['text/plain'], ACTION);
  t.notMatch(JSON.stringify(toViewer?.parts), ACTION);
  t.match(toViewer?.parts['text/plain'], /^Open incident: /m);
  t.not(toOwner?.headers['message-id'], toViewer?.headers['message-id']);
});

t.test('a member whose address nobody has proved is asked, and channels of earlier versions keep it', async (t) => {
  const { app, channel, read, mailsTo, notifications } = await startRecipients(t, mongo);
  const { email, userId } = await addMember(app.workspace.id);
  await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: 1, email_assumed: true } });
  const { id, unconfirmed } = await channel([email]);
  t.same(unconfirmed, [email]);
  await mailsTo(email);
  await mongo.db.collection('recipients').deleteMany({ address: email });
  await mongo.db.collection<ChannelDocument>('channels').updateOne({ _id: id }, { $unset: { asks_recipients: '' } });
  await notifications.ready();
  const kept: Channel = await read(id);
  t.same(kept.unconfirmed, []);
});
