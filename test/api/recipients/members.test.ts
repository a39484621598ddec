import t from 'tap';
import type { MembershipDocument, UserDocument } from '../../../control-plane/accounts/documents.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { ChannelDocument } from '../../../control-plane/notifications/documents.js';
import type { Channel } from '../../../control-plane/notifications/schema.js';
import { testDatabase } from '../../helpers/database.js';
import { buildWorkspace } from '../../helpers/factories.js';
import { confirmLinkOf, startRecipients, stopLinkOf } from '../../helpers/recipients/app.js';

const mongo = await testDatabase();
t.teardown(() => mongo.drop());

const users = mongo.db.collection<UserDocument>('users');
const memberships = mongo.db.collection<MembershipDocument>('memberships');

/** Adds a person with a workspace of their own to the workspace. */
async function addMember(workspaceId: string) {
  const { email, userId } = await buildWorkspace(mongo);
  const _id = membershipId(workspaceId, userId);
  const member = { workspace_id: workspaceId, user_id: userId, role: 'member', created_at_ms: Date.now() } as const;
  await memberships.insertOne({ _id, ...member });
  return { email, userId, leave: () => memberships.deleteOne({ _id }) };
}

t.test('an address that was a member’s keeps its alerts after the member leaves, and can stop them', async (t) => {
  const { app, channel, read, notify, mailsTo, oneClick } = await startRecipients(t, mongo);
  const { email, leave } = await addMember(app.workspace.id);
  const { id } = await channel([email]);
  await leave();
  t.same((await read(id)).unconfirmed, []);
  t.match(await notify(), [{ status: 'sent', error: null }]);
  const [alert] = await mailsTo(email);
  t.equal((await oneClick(stopLinkOf(alert))).status, 200);
  t.same((await read(id)).unconfirmed, [email]);
  t.match(await notify(), [{ status: 'unconfirmed' }]);
});

t.test('a change of a channel confirms members that an earlier one has asked, and no stop is taken back', async (t) => {
  const { app, channel, read, mailsTo, press, oneClick } = await startRecipients(t, mongo);
  const { email, userId, leave } = await addMember(app.workspace.id);
  await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: null } });
  const { id, unconfirmed } = await channel([email, 'stopped@example.com']);
  t.same(unconfirmed, [email, 'stopped@example.com']);
  const [question] = await mailsTo('stopped@example.com');
  await press(confirmLinkOf(question), 'confirm');
  await oneClick(stopLinkOf(question));
  await users.updateOne({ _id: userId }, { $set: { email_confirmed_at_ms: 1 } });
  t.equal((await app.request('PATCH', `/v1/channels/${id}`, { body: { name: 'Renamed' } })).status, 200);
  await leave();
  t.same((await read(id)).unconfirmed, ['stopped@example.com']);
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
