import t from 'tap';
import { ENDED, INVITATIONS, newAddress, PASSWORD, startInvitations } from '../../helpers/team/invitations.js';

const { mongo, as, invited, preview, accept, ownerOf, close } = await startInvitations();
t.teardown(close);

const DAY_MS = 86_400_000;

t.test('an invitation is valid for seven days from when it was sent', async (t) => {
  const owner = await ownerOf();
  const { body } = await as(owner, 'POST', INVITATIONS, { email: newAddress(), role: 'member' });
  t.equal(Date.parse(body.data.expires_at) - Date.parse(body.data.sent_at), 7 * DAY_MS);
});

t.test('owners of another workspace neither see an invitation nor send or revoke it', async (t) => {
  const [owner, stranger] = [await ownerOf(), await ownerOf()];
  const email = newAddress();
  const { id, token } = await invited(owner, email);
  t.equal((await as(stranger, 'GET', `${INVITATIONS}/${id}`)).status, 404);
  t.equal((await as(stranger, 'POST', `${INVITATIONS}/${id}/resend`)).status, 404);
  t.equal((await as(stranger, 'DELETE', `${INVITATIONS}/${id}`)).status, 404);
  t.same((await as(stranger, 'GET', INVITATIONS)).body.data, []);
  t.match((await as(owner, 'GET', `${INVITATIONS}/${id}`)).body.data, { id, email, status: 'open' });
  t.equal((await preview(token)).status, 200, 'its link still works');
});

t.test('the account of an invitation refuses a password that is common or made from the workspace', async (t) => {
  const owner = await ownerOf({ name: 'Marigold' });
  const { token } = await invited(owner, newAddress());
  for (const password of ['password12345', 'marigoldmarigold']) {
    t.match(await accept({ token, password }), { status: 422, body: { errors: [{ path: '/password' }] } }, password);
  }
  t.equal((await accept({ token, password: PASSWORD })).status, 200);
});

t.test('one network can try at most 30 tokens a minute; after that, even an existing token is refused', async (t) => {
  const { token } = await invited(await ownerOf(), newAddress());
  const statuses = new Set<number>();
  // The minute may end meanwhile, and then the count begins again.
  for (let guess = 0; guess < 62; guess++) {
    const answer = await preview(`${String(guess).padStart(2, '0')}${'x'.repeat(41)}`);
    if (answer.status === 422) t.match(answer, ENDED);
    statuses.add(answer.status);
  }
  t.ok(statuses.has(429), [...statuses].join());
  t.ok((await mongo.db.collection('invitations').countDocuments({})) > 0);
  t.equal((await preview(token)).status, 429, 'a right one neither');
});
