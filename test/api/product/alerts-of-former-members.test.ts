import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import t from 'tap';
import { createActionLink } from '../../../control-plane/on-call/action-link.js';
import { createIds } from '../../../control-plane/storage/ids.js';
import { createSecretBox } from '../../../control-plane/storage/secret-box.js';
import { systemClock } from '../../../kernel/clock.js';
import { systemRandom } from '../../../kernel/random.js';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { buildIncident } from '../../helpers/notifications/build.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { confirmLinkOf } from '../../helpers/recipients/app.js';
import { requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';
import { waitFor } from '../../helpers/wait.js';

const MAIL_MS = 60_000;
const PASSWORD = 'seven purple lamps on a shelf';

const mongo = await testDatabase();
const mailbox = await startMailbox();
const plane = await startControlPlane(mongo.uri, {
  PICKET_SMTP_URL: mailbox.url,
  PICKET_MAIL_FROM: 'picket@example.com',
});
t.teardown(async () => {
  await plane.remove();
  await Promise.all([mailbox.close(), mongo.drop()]);
});
const { url } = plane;
const ids = createIds(systemClock, systemRandom);
const secretKey = Buffer.from(await readFile(join(plane.dataDir, 'keys/secret.key'), 'utf8'), 'hex');
const signLink = createActionLink(createSecretBox(secretKey, systemRandom), url);

const workspaceId = await storeWorkspace(mongo);
const owner = await storePerson(mongo, workspaceId, 'owner');

const asOwner = (method: string, path: string, body?: unknown) => requestAs(url, owner.key, [method, path, body]);
const subjectsTo = (address: string) =>
  mailbox.mails.filter(({ to }) => to.includes(address)).map(({ headers }) => headers['subject'] ?? '');
const mailTo = (address: string, subject: RegExp) =>
  waitFor(`a mail to ${address}`, MAIL_MS, async () =>
    mailbox.mails.find(({ to, headers }) => to.includes(address) && subject.test(headers['subject'] ?? '')),
  );

async function channelTo(...to: string[]): Promise<string> {
  const created = await asOwner('POST', '/v1/channels', { type: 'email', name: 'On call', config: { to } });
  if (created.status !== 201) throw new Error(created.text);
  return created.body.data.id;
}

/** Presses a button with the link of an incident of now, and resolves to the status of the page. */
async function press(channelId: string, action: string): Promise<number> {
  const nowMs = Date.now();
  const incident = buildIncident(workspaceId, { _id: ids.next('inc'), started_at_ms: nowMs });
  await mongo.db.collection<{ _id: string }>('incidents').insertOne({ ...incident });
  const link = signLink({ workspaceId, incidentId: incident._id, channelId, atMs: nowMs });
  const body = new URLSearchParams({ t: new URL(link).searchParams.get('t') ?? '', action });
  return (await fetch(`${url}/on-call`, { method: 'POST', redirect: 'manual', body })).status;
}

const unconfirmed = async (channelId: string) =>
  (await asOwner('GET', `/v1/channels/${channelId}`)).body.data.unconfirmed;
const newestEntry = async (action: string) =>
  (await asOwner('GET', `/v1/audit-logs?action=${action}&limit=1`)).body.data[0];

t.test('whoever is removed gets no alerts, a question only when somebody asks, and no link that works', async (t) => {
  const eve = await storePerson(mongo, workspaceId, 'member');
  const id = await channelTo(eve.email);
  const shared = await channelTo(eve.email, owner.email);
  t.same(await unconfirmed(id), []);
  const removed = await asOwner('DELETE', `/v1/team/members/${eve.userId}`);
  const muted = { notify_nobody: { total: 1, items: [{ type: 'channel', id, name: 'On call' }] } };
  t.match([removed.status, removed.body.data], [200, muted], 'what now reaches nobody');
  t.same(await unconfirmed(id), [eve.email]);
  t.match(await newestEntry('team.member_removed'), {
    severity: 'critical',
    metadata: {
      link_channels_revoked: 2,
      channels_to_confirm: 2,
      notify_nobody: 1,
      notify_nobody_names: [{ type: 'channel', id, name: 'On call' }],
    },
  });
  t.equal(await press(id, 'acknowledge'), 404);
  t.match((await asOwner('POST', `/v1/channels/${id}/test`)).body.data, { status: 'unconfirmed' });
  t.match((await asOwner('POST', `/v1/channels/${shared}/test`)).body.data, { status: 'sent' });
  t.equal(subjectsTo(eve.email).length, 0, 'Picket itself does not ask');
  t.equal((await asOwner('POST', `/v1/channels/${id}/ask`, { address: eve.email })).status, 202);
  const question = await mailTo(eve.email, /^Do you want the alerts of /);
  t.equal(subjectsTo(eve.email).length, 1);
  const confirm = new URL(confirmLinkOf(question));
  const body = new URLSearchParams({ t: confirm.searchParams.get('t') ?? '', action: 'confirm' });
  t.equal((await fetch(`${url}${confirm.pathname}`, { method: 'POST', body })).status, 200);
  t.match((await asOwner('POST', `/v1/channels/${id}/test`)).body.data, { status: 'sent' });
  t.equal(await press(id, 'acknowledge'), 404, 'alerts, but no right to act');
});

t.test('whoever becomes a viewer keeps the alerts, and can neither acknowledge nor silence', async (t) => {
  const dan = await storePerson(mongo, workspaceId, 'member');
  const id = await channelTo(dan.email);
  t.equal(await press(id, 'silence'), 303);
  t.equal((await asOwner('PATCH', `/v1/team/members/${dan.userId}`, { role: 'viewer' })).status, 200);
  t.same(await unconfirmed(id), []);
  for (const action of ['acknowledge', 'silence']) t.equal(await press(id, action), 404, action);
});

t.test('the previous address of an account gets no alerts any more', async (t) => {
  const [email, changed] = ['before@example.com', 'after@example.com'];
  const signUp = { email, password: PASSWORD, workspace_name: 'Own' };
  const signedUp = await requestAs(url, null, ['POST', '/v1/auth/signup', signUp]);
  const cookie = (signedUp.headers.get('set-cookie') ?? '').split(';')[0] ?? '';
  const confirm = async (address: string) => {
    const mail = await mailTo(address, /^Confirm your /);
    const token = /#token=(\S{43})/.exec(mail.parts['text/plain'] ?? '')?.[1];
    const body = { token, password: PASSWORD };
    return requestAs(url, cookie, ['POST', '/v1/auth/email/confirm', body]);
  };
  t.equal((await confirm(email)).status, 204);
  const user = await mongo.db.collection<{ _id: string }>('users').findOne({ email });
  const userId = String(user?._id);
  await mongo.db.collection<{ _id: string }>('memberships').insertOne({
    _id: `${workspaceId}/${userId}`,
    workspace_id: workspaceId,
    user_id: userId,
    role: 'member',
    created_at_ms: 1,
  } as never);
  const id = await channelTo(email, changed);
  const own = await channelTo(email);
  t.same(await unconfirmed(id), [changed]);
  const asked = await requestAs(url, cookie, [
    ...(['POST', '/v1/auth/email', { email: changed, password: PASSWORD }] as const),
  ]);
  t.equal(asked.status, 202, asked.text);
  const answer = await confirm(changed);
  t.match(
    [answer.status, answer.body.data],
    [200, { notify_nobody: { total: 1, items: [{ type: 'channel', id: own }] } }],
  );
  t.same(await unconfirmed(id), [email], 'the new one is a member’s');
  t.match(await newestEntry('auth.email_changed'), {
    metadata: { changes: { email: { from: email, to: changed } }, link_channels_revoked: 2, channels_to_confirm: 2 },
  });
});
