import t from 'tap';
import type { WorkspaceDocument } from '../../../control-plane/accounts/documents.js';
import type { InvitationDocument } from '../../../control-plane/team/documents.js';
import { linkIn } from '../../helpers/people/mail.js';
import { ENDED, INVITATIONS, newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';
import { requestAs, storePerson } from '../../helpers/team/people.js';

const { mongo, url, as, mailTo, invited, preview, accept, ownerOf, entries, close } = await startInvitations();
t.teardown(close);

const invitations = mongo.db.collection<InvitationDocument>('invitations');
const memberships = mongo.db.collection<{ _id: string; role: string }>('memberships');

t.test('an invited person gets an e-mail, chooses a password and is logged in', async (t) => {
  const owner = await ownerOf({ name: 'Harbour Ltd' });
  const email = newAddress();
  const created = await as(owner, 'POST', INVITATIONS, { email: email.toUpperCase(), role: 'member' });
  t.match(created, { status: 201, body: { data: { email, role: 'member', status: 'open' } } });
  t.equal(created.headers.get('location'), `${INVITATIONS}/${created.body.data.id}`);
  const mail = await mailTo(email);
  t.match(mail.headers['subject'], /Harbour Ltd/);
  for (const part of ['text/plain', 'text/html']) {
    t.match(mail.parts[part], /Harbour Ltd/);
    t.match(mail.parts[part], `${url}/invitation#token=`);
  }
  const { token } = linkIn(mail);
  const stored = JSON.stringify([
    await invitations.find({ email }).toArray(),
    await mongo.db.collection('mails').find().toArray(),
    await mongo.db.collection('audit_log').find({ workspace_id: owner.workspaceId }).toArray(),
  ]);
  t.notMatch(stored, token, 'the token is not stored');
  t.notMatch(created.text, token, 'and not in the answer');
  t.match((await preview(token)).body.data, {
    ...{ workspace: { name: 'Harbour Ltd' }, email, role: 'member' },
    ...{ account: 'new', password: 'choose', invited_by: { email: owner.email } },
  });
  t.equal((await preview(token)).status, 200, 'a look uses nothing up');

  t.match(await accept({ token }), { status: 422, body: { errors: [{ path: '/password' }] } });
  t.match(await accept({ token, password: 'short' }), { status: 422, body: { errors: [{ path: '/password' }] } });
  const accepted = await accept({ token, password: PASSWORD });
  t.equal(accepted.status, 200, accepted.text);
  t.match(accepted.body.data, { email, role: 'member', workspace: { id: owner.workspaceId } });
  const cookie = accepted.headers.get('set-cookie')?.split(';')[0] ?? '';
  t.equal((await requestAs(url, cookie, ['GET', '/v1/team/members'])).body.data.length, 2);
  const user = await mongo.db.collection('users').findOne({ email });
  t.type(user?.['email_confirmed_at_ms'], 'number', 'the address is confirmed');
  t.match(user?.['password_hash'], /^keyed\$argon2id\$/);

  t.match(await accept({ token, password: PASSWORD }), ENDED, 'once');
  t.match(await preview(token), ENDED);
  t.same((await as(owner, 'GET', INVITATIONS)).body.data, []);
  t.match(await entries(owner.workspaceId, 'team.member_invited'), [
    { actor: { id: owner.userId }, resource: { type: 'invitation', name: email }, metadata: { role: 'member' } },
  ]);
  t.match(await entries(owner.workspaceId, 'team.member_joined'), [
    { actor: { email }, resource: { type: 'user', name: email }, metadata: { invited_by: owner.email } },
  ]);
});

/** Repeats it while the requests contend: 503 asks to try again. */
async function patientlyAccept(token: string) {
  for (;;) {
    const answer = await accept({ token, password: PASSWORD });
    if (answer.status !== 503) return answer;
  }
}

t.test('an invitation that is accepted twice at once makes one member and one session', async (t) => {
  const owner = await ownerOf();
  for (let round = 0; round < 5; round++) {
    const email = newAddress();
    const { token } = await invited(owner, email);
    const answers = await Promise.all([1, 2, 3].map(() => patientlyAccept(token)));
    t.equal(answers.filter(({ status }) => status === 200).length, 1, answers.map(({ text }) => text).join());
    for (const answer of answers) if (answer.status !== 200) t.match(answer, ENDED);
    t.equal(await mongo.db.collection('users').countDocuments({ email }), 1);
  }
  t.equal((await entries(owner.workspaceId, 'team.member_joined')).length, 5);
});

t.test('a page of another site cannot accept an invitation with the cookies of a person', async (t) => {
  const { token } = await invited(await ownerOf(), newAddress());
  const answer = await fetch(`${url}${INVITATIONS}/accept`, {
    method: 'POST',
    headers: { origin: 'https://evil.example', 'content-type': 'application/json' },
    body: JSON.stringify({ token, password: PASSWORD }),
  });
  t.equal(answer.status, 403);
});

t.test('an invitation ends when it is replaced, sent again, revoked, or 7 days old', async (t) => {
  const owner = await ownerOf();
  const email = newAddress();
  const first = await invited(owner, email, 'viewer');
  const second = await invited(owner, email, 'admin');
  t.match(await accept({ token: first.token, password: PASSWORD }), ENDED, 'replaced');
  t.match((await as(owner, 'GET', INVITATIONS)).body.data, [{ id: second.id, role: 'admin' }]);
  t.equal((await as(owner, 'GET', INVITATIONS)).body.data.length, 1);

  const sent = await as(owner, 'POST', `${INVITATIONS}/${second.id}/resend`);
  t.match(sent, { status: 200, body: { data: { id: second.id, role: 'admin' } } });
  t.equal(sent.headers.get('etag'), '"2"');
  const { token: third } = linkIn(await mailTo(email, 2));
  t.match(await preview(second.token), ENDED, 'sent again');
  t.equal((await preview(third)).status, 200);

  await invitations.updateOne({ email }, { $set: { expires_at_ms: Date.now() } });
  t.match(await preview(third), ENDED, 'expired');
  t.match(await accept({ token: third, password: PASSWORD }), ENDED);
  t.match((await as(owner, 'GET', `${INVITATIONS}/${second.id}`)).body.data, { status: 'expired' });
  t.equal((await as(owner, 'POST', `${INVITATIONS}/${second.id}/resend`)).status, 200);
  const { token: fourth } = linkIn(await mailTo(email, 3));
  t.equal((await preview(fourth)).status, 200, 'and valid again');

  t.equal((await as(owner, 'DELETE', `${INVITATIONS}/${second.id}`)).status, 204);
  t.match(await accept({ token: fourth, password: PASSWORD }), ENDED, 'revoked');
  t.equal((await as(owner, 'DELETE', `${INVITATIONS}/${second.id}`)).status, 404);
  t.match(await entries(owner.workspaceId, 'team.invitation_revoked'), [
    { severity: 'warning', resource: { name: email }, metadata: { role: 'admin' } },
  ]);
  t.equal(await mongo.db.collection('users').countDocuments({ email }), 0);
  t.match(await preview('x'.repeat(43)), ENDED, 'an unknown token');
});

t.test('an invitation is void when its sender has left or may no longer give the role', async (t) => {
  const owner = await ownerOf();
  const admin = await storePerson(mongo, owner.workspaceId, 'admin');
  t.equal(
    (await as(admin, 'POST', INVITATIONS, { email: newAddress(), role: 'owner' })).status,
    403,
    'only owners invite owners',
  );
  const email = newAddress();
  const { id, token } = await invited(admin, email);
  const role = (role: string) =>
    memberships.updateOne({ _id: `${owner.workspaceId}/${admin.userId}` }, { $set: { role } });
  await role('member');
  t.match(await preview(token), ENDED);
  t.match(await accept({ token, password: PASSWORD }), ENDED);
  t.match((await as(owner, 'GET', `${INVITATIONS}/${id}`)).body.data, { status: 'void' });
  await role('admin');
  t.equal((await preview(token)).status, 200);
  t.equal((await as(owner, 'DELETE', `/v1/team/members/${admin.userId}`)).status, 204);
  t.match(await accept({ token, password: PASSWORD }), ENDED);
  t.equal((await as(owner, 'POST', `${INVITATIONS}/${id}/resend`)).status, 200);
  t.equal((await preview(linkIn(await mailTo(email, 1)).token)).status, 200, 'sent again by somebody else');

  const asOwner = await storePerson(mongo, owner.workspaceId, 'owner');
  const forOwner = await invited(asOwner, newAddress(), 'owner');
  t.equal((await as(owner, 'PATCH', `/v1/team/members/${asOwner.userId}`, { role: 'admin' })).status, 200);
  t.match(await preview(forOwner.token), ENDED, 'an admin cannot give the role of an owner');
});

t.test('who was removed cannot invite in the seconds until every control plane has noticed', async (t) => {
  const owner = await ownerOf();
  const admin = await storePerson(mongo, owner.workspaceId, 'admin');
  t.equal((await as(admin, 'GET', INVITATIONS)).status, 200);
  await memberships.updateOne({ _id: `${owner.workspaceId}/${admin.userId}` }, { $set: { role: 'viewer' } });
  t.equal((await as(admin, 'POST', INVITATIONS, { email: newAddress(), role: 'admin' })).status, 403);
  t.equal((await as(admin, 'PATCH', `/v1/team/members/${admin.userId}`, { role: 'admin' })).status, 403);
});

t.test('a workspace that is not confirmed, suspended or about to be deleted invites nobody', async (t) => {
  const standings: Partial<WorkspaceDocument>[] = [
    { confirmed_at_ms: null },
    { suspended: { at_ms: Date.now(), reason: 'abuse' } },
    { deletion: { requested_at_ms: Date.now(), by: 'usr_x', at_ms: Date.now() + 1e9 } },
  ];
  for (const standing of standings) {
    const owner = await ownerOf(standing);
    const email = newAddress();
    const answer = await as(owner, 'POST', INVITATIONS, { email, role: 'member' });
    t.match(answer, { status: 403, body: { code: 'forbidden' } }, answer.text);
    t.equal(await invitations.countDocuments({ email }), 0);
    t.equal(await mongo.db.collection('mails').countDocuments({ to: email }), 0);
  }
  const owner = await ownerOf();
  const { token } = await invited(owner, newAddress());
  await mongo.db
    .collection<WorkspaceDocument>('workspaces')
    .updateOne({ _id: owner.workspaceId }, { $set: { deletion: { requested_at_ms: 1, by: 'usr_x', at_ms: 2e12 } } });
  t.match(await accept({ token, password: PASSWORD }), ENDED);
});

t.test('a stranger gets 20 invitations a day, whatever the workspaces, and a person sends 100', async (t) => {
  const owners = [await ownerOf(), await ownerOf(), await ownerOf()];
  const stranger = newAddress();
  const statuses: number[] = [];
  for (let count = 0; count < 21; count++) {
    const [user, domain] = stranger.split('@');
    const owner = owners[count % owners.length];
    if (owner === undefined) throw new Error('nobody');
    const email = `${user}+${count}@${domain}`;
    statuses.push((await as(owner, 'POST', INVITATIONS, { email, role: 'viewer' })).status);
  }
  t.same(statuses, [...Array.from({ length: 19 }, () => 201), 429, 429], 'in all spellings of the mailbox');
  const last = { email: stranger, role: 'viewer' };
  t.equal((await as(await ownerOf(), 'POST', INVITATIONS, last)).status, 201, 'the last place is for somebody new');
  const [owner] = owners;
  if (owner === undefined) throw new Error('nobody');
  const quotas = mongo.db.collection<{ _id: string; mails: number }>('recipient_quotas');
  const ofPerson = { _id: { $regex: `^invitation/person/${owner.userId}/` } };
  t.equal((await quotas.updateMany(ofPerson, { $set: { mails: 100 } })).matchedCount, 1);
  const refused = await as(owner, 'POST', INVITATIONS, { email: newAddress(), role: 'viewer' });
  t.match(refused, { status: 429, body: { detail: /^A person can send at most 100 invitations a day\./ } });
});

t.test('at most 50 e-mails per hour and 100 open invitations', async (t) => {
  const owner = await ownerOf();
  const attempt = () => as(owner, 'POST', INVITATIONS, { email: newAddress(), role: 'viewer' });
  /** More requests at once would wait for each other for too long. */
  const attempts = async (count: number) => {
    const statuses: number[] = [];
    const worker = async () => {
      while (statuses.length < count) {
        const place = statuses.push(0) - 1;
        // 503 asks to try again: the requests contend for one counter.
        do statuses[place] = (await attempt()).status;
        while (statuses[place] === 503);
      }
    };
    await Promise.all([1, 2, 3].map(worker));
    return statuses.filter((status) => status === 201).length;
  };
  t.equal(await attempts(55), 50, 'also when several are sent at once');
  const refused = await attempt();
  t.match(refused, { status: 429, body: { code: 'rate_limited' } });
  t.ok(Number(refused.headers.get('retry-after')) > 3_500);
  const [one] = (await as(owner, 'GET', INVITATIONS)).body.data;
  t.equal((await as(owner, 'POST', `${INVITATIONS}/${one.id}/resend`)).status, 429, 'sending again counts');

  const mails = mongo.db.collection<{ _id: string; sent_at_ms: number[] }>('invitation_mails');
  const quotas = mongo.db.collection<{ _id: string }>('recipient_quotas');
  /** Also the next day, because a person sends 100 a day. */
  const anHourLater = async () => {
    await mails.updateOne({ _id: owner.workspaceId }, { $set: { sent_at_ms: [] } });
    await quotas.deleteMany({ _id: { $regex: `^invitation/person/${owner.userId}/` } });
  };
  await anHourLater();
  t.equal(await attempts(50), 50);
  await anHourLater();
  t.match(await attempt(), { status: 409, body: { code: 'conflict' } });
  t.equal(
    (await as(owner, 'POST', INVITATIONS, { email: one.email, role: 'member' })).status,
    201,
    'a replacement is no more',
  );
  await invitations.updateOne(
    { workspace_id: owner.workspaceId, email: { $ne: one.email } },
    { $set: { expires_at_ms: 1 } },
  );
  t.equal((await attempt()).status, 201, 'an expired one does not count');
});

t.test('at most 1,000 members in a workspace and 100 workspaces of a person', async (t) => {
  const owner = await ownerOf();
  const { token } = await invited(owner, newAddress());
  const rows = (count: number, row: (index: number) => { workspace_id: string; user_id: string }) =>
    Array.from({ length: count }, (_, index) => {
      const { workspace_id, user_id } = row(index);
      return { _id: `${workspace_id}/${user_id}`, workspace_id, user_id, role: 'viewer', created_at_ms: 1 };
    });
  await memberships.insertMany(rows(999, (index) => ({ workspace_id: owner.workspaceId, user_id: `usr_${index}` })));
  t.match(await as(owner, 'POST', INVITATIONS, { email: newAddress(), role: 'viewer' }), { status: 409 });
  t.match(await accept({ token, password: PASSWORD }), { status: 409, body: { code: 'conflict' } });
  await memberships.deleteOne({ _id: `${owner.workspaceId}/usr_1` });
  t.equal((await accept({ token, password: PASSWORD })).status, 200);

  const busy = await ownerOf();
  await memberships.insertMany(rows(99, (index) => ({ workspace_id: `ws_${index}`, user_id: busy.userId })));
  const other = await invited(await ownerOf(), busy.email);
  t.match(await accept({ token: other.token }, busy), { status: 409, body: { code: 'conflict' } });
  await memberships.deleteOne({ _id: `ws_1/${busy.userId}` });
  t.equal((await accept({ token: other.token }, busy)).status, 200);
});
