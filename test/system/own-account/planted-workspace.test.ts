import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startMailbox } from '../../helpers/machine/mailbox.js';
import { linkIn, mailTo } from '../../helpers/people/mail.js';
import { type Person, personAt } from '../../helpers/people/person.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { storePerson } from '../../helpers/team/people.js';

const PASSWORD = 'correct horse battery staple';
const OTHER_PASSWORD = 'seven purple lamps on a shelf';

// Addresses count as confirmed, so whoever signs up with one of somebody else can invite people.
const mongo = await testDatabase();
const mailbox = await startMailbox();
const plane = await startControlPlane(mongo.uri, {
  ...{ PICKET_SMTP_URL: mailbox.url, PICKET_PUBLIC_URL: 'https://picket.test', PICKET_CONFIRM_EMAIL: '0' },
});
t.teardown(async () => {
  await plane.remove();
  await mailbox.close();
  await mongo.drop();
});

async function resetPassword(client: Person, email: string): Promise<void> {
  await client.send('POST', '/v1/auth/password/forgot', { email });
  const { token } = linkIn(await mailTo(mailbox, email, /^Reset/));
  const done = await client.send('POST', '/v1/auth/password/reset', { token, password: OTHER_PASSWORD });
  t.equal(done.status, 204, JSON.stringify(done.body));
}

t.test('a first reset opens no workspace in which the stranger is still somebody', async (t) => {
  const [email, others] = ['planted@example.com', ['second@example.com', 'third@example.com']] as const;
  const stranger = personAt(plane.url);
  const planted = { email, password: PASSWORD, workspace_name: 'Planted' };
  t.equal((await stranger.send('POST', '/v1/auth/signup', planted)).status, 201);
  const inviteAs = async (address: string) => {
    const body = { email: address, role: 'owner' };
    const sent = await stranger.send('POST', '/v1/team/invitations', body);
    t.equal(sent.status, 201, JSON.stringify(sent.body));
    return linkIn(await mailTo(mailbox, address, /^Invitation/)).token;
  };
  const [accepted, kept] = [await inviteAs(others[0]), await inviteAs(others[1])];
  const accept = (token: string) =>
    personAt(plane.url).send('POST', '/v1/team/invitations/accept', { token, password: PASSWORD });
  const joined = await accept(accepted);
  t.equal(joined.status, 200, JSON.stringify(joined.body));

  const token = await stranger.send('POST', '/v1/servers/join-tokens', {});
  t.equal(token.status, 201, JSON.stringify(token.body));

  const owner = personAt(plane.url);
  await resetPassword(owner, email);
  t.match(await owner.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD }), {
    status: 200,
    body: { data: { role: 'owner', workspace: { name: 'My workspace' } } },
  });
  const workspaces = (await owner.send('GET', '/v1/auth/workspaces')).body.data;
  t.same(
    workspaces.map(({ name }: { name: string }) => name),
    ['My workspace', 'Planted'],
    'no membership is lost',
  );
  t.equal((await accept(kept)).status, 422, 'nobody else joins with what the stranger sent');
  const entries = await mongo.db
    .collection('audit_log')
    .find({ 'actor.email': email, 'metadata.first_proof_of_address': true })
    .sort({ at: 1, _id: 1 })
    .toArray();
  t.match(entries, [
    { action: 'auth.password_reset', metadata: { invitations_revoked: 1, join_tokens_revoked: 1 } },
    { action: 'auth.workspace_switched', workspace_id: workspaces[0].id },
  ]);
});

t.test('a first reset opens the first workspace, or one without others, before a new one', async (t) => {
  const first = (await mongo.db.collection<{ _id: string }>('workspaces').findOne({}, { sort: { _id: 1 } }))?._id ?? '';
  const openedAfterReset = async (email: string, inFirst: boolean) => {
    const person = personAt(plane.url);
    const body = { email, password: PASSWORD, workspace_name: 'Their own' };
    const own = (await person.send('POST', '/v1/auth/signup', body)).body.data;
    const shared = await person.send('POST', '/v1/auth/workspaces', { name: 'Shared' });
    t.equal(shared.status, 201, JSON.stringify(shared.body));
    await storePerson(mongo, shared.body.data.id, 'owner');
    const existing = { workspaceId: first, userId: own.id, email, role: 'member', cookie: '', key: '' } as const;
    if (inFirst) await storePerson(mongo, first, 'member', { existing });
    const switched = await person.send('POST', `/v1/auth/workspaces/${shared.body.data.id}/switch`);
    t.equal(switched.status, 200, JSON.stringify(switched.body));
    await resetPassword(person, email);
    const logIn = await person.send('POST', '/v1/auth/login', { email, password: OTHER_PASSWORD });
    return { opened: logIn.body.data.workspace.id, own: own.workspace.id };
  };
  t.equal((await openedAfterReset('colleague@example.com', true)).opened, first);
  const { opened, own } = await openedAfterReset('alone@example.com', false);
  t.equal(opened, own);
});
