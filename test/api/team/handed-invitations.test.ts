import t from 'tap';
import { testDatabase } from '../../helpers/database.js';
import { startControlPlane } from '../../helpers/processes/control-plane.js';
import { INVITATIONS, newAddress, PASSWORD } from '../../helpers/team/invitations.js';
import { type Person, requestAs, storePerson, storeWorkspace } from '../../helpers/team/people.js';

// Without a mail server.
const mongo = await testDatabase();
const { url, remove } = await startControlPlane(mongo.uri);
t.teardown(async () => {
  await remove();
  await mongo.drop();
});
const as = (person: Person | null, ...request: [method: string, path: string, body?: unknown]) =>
  requestAs(url, person?.cookie ?? null, request);
const owner = await storePerson(mongo, await storeWorkspace(mongo), 'owner');
const tokenOf = (link: string) => link.replace(/^.*#token=/, '');

t.test('without a mail server, whoever invites gets the link, once', async (t) => {
  const email = newAddress();
  const made = await as(owner, 'POST', INVITATIONS, { email, role: 'viewer' });
  t.equal(made.status, 201);
  const { id, accept_url: link, ...view } = made.body.data;
  t.match(link, /\/invitation#token=[A-Za-z0-9_-]{43}$/);
  t.equal(view.sent_by_email, false);
  const [listed] = (await as(owner, 'GET', INVITATIONS)).body.data;
  t.same(listed, { id, ...view }, 'the list has no link');
  t.same((await as(owner, 'GET', `${INVITATIONS}/${id}`)).body.data, { id, ...view });

  const again = (await as(owner, 'POST', `${INVITATIONS}/${id}/resend`)).body.data.accept_url;
  t.not(again, link);
  const preview = (token: string) => as(null, 'POST', `${INVITATIONS}/preview`, { token });
  t.equal((await preview(tokenOf(link))).status, 422, 'the first link has ended');
  t.match((await preview(tokenOf(again))).body.data, { email, role: 'viewer' });

  const accepted = await as(null, 'POST', `${INVITATIONS}/accept`, { token: tokenOf(again), password: PASSWORD });
  t.equal(accepted.status, 200);
  const user = await mongo.db.collection('users').findOne({ email });
  t.equal(user?.['email_confirmed_at_ms'], null, 'a link that was handed over proves nothing about the mailbox');
});

t.test('the link does not confirm the address of an account that exists', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const person = await storePerson(mongo, workspaceId, 'owner', { user: { email_confirmed_at_ms: null } });
  const made = await as(owner, 'POST', INVITATIONS, { email: person.email, role: 'member' });
  const token = tokenOf(made.body.data.accept_url);
  t.equal((await as(person, 'POST', `${INVITATIONS}/accept`, { token })).status, 200);
  const user = await mongo.db.collection('users').findOne({ email: person.email });
  t.equal(user?.['email_confirmed_at_ms'], null);
});

t.test('whoever invites does not learn from the link which addresses have an account', async (t) => {
  const workspaceId = await storeWorkspace(mongo);
  const person = await storePerson(mongo, workspaceId, 'owner', { user: { password_hash: 'of somebody' } });
  const answers = [];
  for (const email of [person.email, newAddress()]) {
    const made = await as(owner, 'POST', INVITATIONS, { email, role: 'member' });
    const token = tokenOf(made.body.data.accept_url);
    const preview = await as(null, 'POST', `${INVITATIONS}/preview`, { token });
    t.match(preview.body.data, { email, account: 'unknown', password: 'enter_or_choose' });
    const refusals = [];
    for (const given of [{}, { password: 'aaaaaaaaaaaaa' }]) {
      const { status, body } = await as(null, 'POST', `${INVITATIONS}/accept`, { token, ...given });
      refusals.push({ status, code: body.code, errors: body.errors });
    }
    answers.push(refusals);
    if (email === person.email) {
      const own = (await as(person, 'POST', `${INVITATIONS}/preview`, { token })).body.data;
      t.match(own, { account: 'existing', password: 'none' }, 'the person does');
    }
  }
  t.match(answers[0], [
    { status: 422, code: 'validation_failed' },
    { status: 422, errors: [{ path: '/password', message: /log in first, then open the link again$/ }] },
  ]);
  t.same(answers[0], answers[1]);
});
