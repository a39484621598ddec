import t from 'tap';
import type { MembershipDocument } from '../../../control-plane/accounts/documents.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { StatusPage } from '../../../control-plane/status-pages/schema.js';
import { buildKey, buildSession, buildWorkspace } from '../../helpers/factories.js';
import { PATH, startStatusPages } from '../../helpers/status-pages/app.js';

const pages = await startStatusPages();
const { app, created, clock } = pages;
t.teardown(pages.stop);
const VIEWS = ['', '.json', '/feed.atom', '/maintenance.ics', '/badge.svg'];

async function unlocked(slug: string, password: string) {
  return fetch(`${app.url}/status/${slug}`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ password }),
  });
}

const settled = () => clock.advance(5_000);

t.test('a page with a password: one gate before every address; a new password locks everybody out', async (t) => {
  const missing = { slug: 'locked', title: 'Secret title', visibility: 'password' };
  const refused = await app.request('POST', PATH, { body: missing });
  t.match(refused, { status: 422, body: { errors: [{ path: '/password', code: 'required' }] } });
  const groups = [{ components: [{ name: 'Secret name', tag: 'x' }] }];
  const page = await created({ ...missing, groups, password: 'correct horse' });
  t.match(page, { visibility: 'password', has_password: true });
  t.notOk('password' in page);
  const component = page.groups[0]?.components[0]?.id;
  const views = [...VIEWS, `/components/${component}/badge.svg`];
  for (const view of views) {
    const answer = await pages.page(`locked${view}`);
    const text = await answer.text();
    t.equal(answer.status, 401, view);
    t.equal(answer.headers.get('cache-control'), 'private, no-store');
    t.match(answer.headers.get('x-robots-tag'), 'noindex');
    t.match(text, /This page needs a password/);
    t.notMatch(text, /Secret/);
  }
  const wrong = await unlocked('locked', 'wrong horse');
  t.equal(wrong.status, 401);
  t.equal(wrong.headers.get('set-cookie'), null);
  t.match(await wrong.text(), /The password is wrong/);
  const right = await unlocked('locked', 'correct horse');
  t.equal(right.status, 303);
  t.equal(right.headers.get('location'), 'locked');
  const set = right.headers.get('set-cookie') ?? '';
  t.match(set, /^picket_status_locked=\S+; Path=\/status; Max-Age=43200; HttpOnly; SameSite=Lax$/);
  const cookie = set.split(';')[0] ?? '';
  for (const view of views) {
    const answer = await pages.page(`locked${view}`, { cookie });
    t.equal(answer.status, 200, view);
    t.equal(answer.headers.get('cache-control'), 'private, no-store');
    t.equal(answer.headers.get('access-control-allow-origin'), null);
  }
  const other = await created({ slug: 'other-locked', title: 'x', visibility: 'password', password: 'correct horse' });
  const copied = cookie.replace('picket_status_locked', 'picket_status_other-locked');
  t.equal((await pages.page('other-locked', { cookie: copied })).status, 401, 'a cookie is of one page');
  t.equal((await pages.page('locked', { cookie: `${cookie.slice(0, -1)}x` })).status, 401);

  const changed = await app.request('PATCH', `${PATH}/${page.id}`, { body: { password: 'another horse' } });
  t.equal(changed.status, 200);
  await settled();
  t.equal((await pages.page('locked', { cookie })).status, 401);
  const entries = JSON.stringify(await pages.mongo.db.collection('audit_log').find().toArray());
  t.match(entries, /"password_changed":true/);
  t.notMatch(entries, /horse|argon2/);
  const later = (await unlocked('locked', 'another horse')).headers.get('set-cookie')?.split(';')[0] ?? '';
  t.equal((await pages.page('locked', { cookie: later })).status, 200);
  clock.stall(12 * 3_600_000);
  t.equal((await pages.page('locked', { cookie: later })).status, 401, 'after twelve hours');
  const open = await app.request<StatusPage>('PATCH', `${PATH}/${other.id}`, { body: { visibility: 'public' } });
  t.match(open.body.data, { visibility: 'public', has_password: false });
  await settled();
  t.equal((await pages.page('other-locked')).status, 200);
  t.equal((await unlocked('other-locked', 'x')).status, 405);
});

t.test('guesses are limited for each address', async (t) => {
  await created({ slug: 'guessed', title: 'x', visibility: 'password', password: 'correct horse' });
  const answers = [];
  for (let guess = 0; guess < 31; guess++) answers.push((await unlocked('guessed', `guess ${guess}`)).status);
  t.ok(answers.slice(0, 20).every((status) => status === 401));
  t.equal(answers.at(-1), 429);
  const right = await unlocked('guessed', 'correct horse');
  t.equal(right.status, 429, 'the right one does not tell');
  t.ok(right.headers.get('retry-after'));
});

t.test('a page for members says nothing to others, not even with a key', async (t) => {
  await created({ slug: 'inside', title: 'Secret title', visibility: 'members' });
  for (const view of VIEWS) {
    for (const headers of [{}, { authorization: `Bearer ${app.key}` }, { cookie: 'picket_session=invented' }]) {
      const answer = await pages.page(`inside${view}`, headers);
      t.equal(answer.status, 401);
      t.notMatch(await answer.text(), /Secret/);
    }
  }
  const member = await buildSession(pages.mongo, app.workspace, { nowMs: clock.now() });
  const answer = await pages.page('inside', { cookie: member.cookie });
  t.equal(answer.status, 200);
  t.match(await answer.text(), /Secret title/);
  const stranger = await buildSession(pages.mongo, await buildWorkspace(pages.mongo, {}), { nowMs: clock.now() });
  t.equal((await pages.page('inside', { cookie: stranger.cookie })).status, 401);
  const otherKey = await buildKey(pages.mongo, await buildWorkspace(pages.mongo, {}));
  t.equal((await pages.page('inside', { authorization: `Bearer ${otherKey.key}` })).status, 401);
});

t.test('a member sees the page also while their session works in another workspace', async (t) => {
  await created({ slug: 'both', title: 'Secret title', visibility: 'members' });
  const other = await buildWorkspace(pages.mongo, {});
  const session = await buildSession(pages.mongo, other, { nowMs: clock.now() });
  const status = async (cookie = session.cookie) => (await pages.page('both', { cookie })).status;
  t.equal(await status(), 401, 'not a member yet');
  const id = membershipId(app.workspace.id, other.userId);
  const memberships = pages.mongo.db.collection<MembershipDocument>('memberships');
  await memberships.insertOne({
    _id: id,
    workspace_id: app.workspace.id,
    user_id: other.userId,
    role: 'viewer',
    created_at_ms: clock.now(),
  });
  t.equal(await status(), 200);
  const byProvider = await buildSession(pages.mongo, other, { nowMs: clock.now(), provider_workspace_id: other.id });
  t.equal(await status(byProvider.cookie), 401, 'an identity provider opens the page of no other workspace');
  const workspaces = pages.mongo.db.collection<{ _id: string }>('workspaces');
  await workspaces.updateOne({ _id: app.workspace.id }, { $set: { requires_second_factor: true } });
  t.equal(await status(), 401, 'the workspace of the page asks for a second factor');
  await workspaces.updateOne({ _id: app.workspace.id }, { $unset: { requires_second_factor: '' } });
  t.equal(await status(), 200);
  await memberships.deleteOne({ _id: id });
  t.equal(await status(), 401, 'at once after they left');
});
