import t from 'tap';
import { linkIn } from '../../helpers/people/mail.js';
import { personAt } from '../../helpers/people/person.js';
import { ENDED, INVITATIONS, newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';
import type { Person } from '../../helpers/team/people.js';
import { storeInvitation } from '../../helpers/team/store-invitation.js';
import { waitFor } from '../../helpers/wait.js';

const started = await startInvitations();
const { mongo, url, mailbox, as, invited, accept, ownerOf, entries, close } = started;
t.teardown(close);

const openTo = async (owner: Person) =>
  (await as(owner, 'GET', INVITATIONS)).body.data.map(({ email }: { email: string }) => email);

/** Resolves to a new member and their browser. */
async function joined(owner: Person, email: string, role = 'member') {
  const { token } = await invited(owner, email, role);
  const browser = personAt(url);
  const answer = await browser.send('POST', `${INVITATIONS}/accept`, { token, password: PASSWORD });
  t.equal(answer.status, 200);
  const members = (await as(owner, 'GET', '/v1/team/members')).body.data;
  return { browser, id: String(members.find((one: { email: string }) => one.email === email)?.id) };
}

/** Stores an invitation beside a membership, as they were left by an earlier version. */
const leftOpen = (owner: Person, email: string) =>
  storeInvitation(mongo.db, { id: owner.workspaceId, userId: owner.userId, email: owner.email }, email);

t.test('a new address of a member ends the invitations to it and to the previous one', async (t) => {
  const owner = await ownerOf();
  const [before, after] = [newAddress(), newAddress()];
  const { token } = await invited(owner, after, 'admin');
  const { browser, id } = await joined(owner, before);
  await leftOpen(owner, before);
  t.same([...(await openTo(owner))].sort(), [before, after].sort());
  t.equal((await browser.send('POST', '/v1/auth/email', { email: after, password: PASSWORD })).status, 202);
  const mail = await waitFor('the mail to the new address', 60_000, async () =>
    mailbox.mails.find(({ to, headers }) => to.includes(after) && headers['x-picket-mail'] === 'confirm_email_change'),
  );
  t.equal((await browser.send('POST', '/v1/auth/email/confirm', { token: linkIn(mail).token })).status, 204);
  t.same(await openTo(owner), []);
  t.match(await entries(owner.workspaceId, 'auth.email_changed'), [{ metadata: { invitations_revoked: 2 } }]);
  t.equal((await as(owner, 'DELETE', `/v1/team/members/${id}`)).status, 204);
  t.match(await accept({ token, password: PASSWORD }), ENDED, 'she cannot come back as an admin');
});

t.test('a removal and another role end the invitations to the member', async (t) => {
  const owner = await ownerOf();
  const email = newAddress();
  const { id } = await joined(owner, email, 'admin');
  await leftOpen(owner, email);
  t.equal((await as(owner, 'PATCH', `/v1/team/members/${id}`, { role: 'viewer' })).status, 200);
  t.same(await openTo(owner), []);
  t.match(await entries(owner.workspaceId, 'team.role_changed'), [{ metadata: { invitations_revoked: 1 } }]);
  await leftOpen(owner, email);
  t.equal((await as(owner, 'DELETE', `/v1/team/members/${id}`)).status, 204);
  t.same(await openTo(owner), []);
  t.match(await entries(owner.workspaceId, 'team.member_removed'), [{ metadata: { invitations_revoked: 1 } }]);
});
