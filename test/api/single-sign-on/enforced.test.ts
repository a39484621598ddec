import t from 'tap';
import type { UserDocument } from '../../../control-plane/accounts/documents.js';
import { createMembershipsStore } from '../../../control-plane/accounts/memberships-store.js';
import { createUsersStore } from '../../../control-plane/accounts/users-store.js';
import { createWorkspacesStore } from '../../../control-plane/accounts/workspaces-store.js';
import { systemActor } from '../../../control-plane/actor.js';
import { AppError } from '../../../control-plane/errors.js';
import { createAccountDeletion } from '../../../control-plane/own-account/delete-account.js';
import { buildClient, buildWorkspace } from '../../helpers/factories.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startOidcProvider } from '../../helpers/single-sign-on/provider.js';
import { accountOf, CALLBACK, PUBLIC_URL, settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

t.test('a workspace that enforces single sign-on', async (t) => {
  const provider = await startOidcProvider({ redirectUri: CALLBACK });
  const single = await startSingleSignOn();
  t.teardown(() => Promise.all([single.close(), provider.close()]));
  const { app, db, sessions } = single;
  const { runTransaction } = app.parts;
  await single.verifyDomain('example.com');
  const users = db.collection<UserDocument>('users');
  const member = async (email: string, role: string, workspaceId = app.workspace.id) => {
    const { userId } = await buildWorkspace(app.parts.mongo, { email });
    await db.collection('memberships').deleteMany({ user_id: userId });
    await db.collection('memberships').insertOne({
      ...{ _id: `${workspaceId}/${userId}`, workspace_id: workspaceId, user_id: userId, role, created_at_ms: 1 },
    } as never);
    return userId;
  };
  /** What happens when somebody has given the right password, or has used a passkey. */
  const logIn = async (userId: string, workspaceId?: string, method: 'password' | 'passkey' = 'password') => {
    const user = await users.findOne({ _id: userId });
    if (user === null) throw new Error('no user');
    const input = {
      user,
      client: buildClient(),
      method,
      secondFactor: true,
      ...(workspaceId === undefined ? {} : { workspaceId }),
    };
    return runTransaction((tx) => sessions.signIn(tx, input));
  };
  const refusal = (work: Promise<unknown>) =>
    work.then(
      () => 'logged in',
      (error: unknown) => (error instanceof AppError ? error : Promise.reject(error)),
    );
  const ada = await member('ada@example.com', 'admin');
  const glass = app.workspace.userId;
  const early = await logIn(ada);
  const put = (more: Record<string, unknown>, userId = glass) => {
    const workspace = { id: app.workspace.id, userId };
    return single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider, more), workspace });
  };

  await t.test('needs a break-glass owner who has a password', async (t) => {
    t.equal((await put({ enforced: true, break_glass_user_id: ada })).status, 422, 'an admin');
    const owner = await member('owner@example.com', 'owner');
    await users.updateOne({ _id: owner }, { $set: { password_hash: null } });
    t.equal((await put({ enforced: true, break_glass_user_id: owner })).status, 422, 'an owner without a password');
    const saved = await put({ enforced: true, break_glass_user_id: glass });
    t.match(saved.body.data, { enforced: true, break_glass_user_id: glass }, saved.text);
  });

  await t.test('is not saved together with a deletion of the break-glass owner', async (t) => {
    const second = await member('second@example.com', 'owner');
    const actor = { ...systemActor({ ...app.workspace, plan: 'Enterprise' }, 'test'), userId: second };
    const deletion = createAccountDeletion({
      users: createUsersStore(db),
      workspaces: createWorkspacesStore(db),
      memberships: createMembershipsStore(db),
      ...{ sessions: sessions.ofPeople, mailer: { send: async () => {} }, publicUrl: PUBLIC_URL },
      ...{ audit: app.parts.audit, clock: app.parts.clock },
    });
    let tries = 0;
    const requested = runTransaction(async (tx) => {
      tries += 1;
      // From here on, the first try reads the database as it was before the owner was named.
      await createUsersStore(db).findIn(tx, second);
      if (tries === 1) t.equal((await put({ enforced: true, break_glass_user_id: second })).status, 200);
      return deletion.request(tx, actor);
    });
    t.match(await refusal(requested), { code: 'conflict', message: /break-glass owner/ });
    t.match(await users.findOne({ _id: second }), { deletion: undefined });
    t.equal((await put({ enforced: true, break_glass_user_id: glass }, second)).status, 200);
  });

  await t.test('refuses members without it, with the address to open', async (t) => {
    for (const method of ['password', 'passkey'] as const) {
      const sign_in_url = `${PUBLIC_URL}/v1/auth/sso/start?workspace=${app.workspace.id}`;
      t.match(await refusal(logIn(ada, undefined, method)), {
        code: 'single_sign_on_required',
        extra: { sign_in_url },
      });
      t.match(await refusal(logIn(ada, app.workspace.id, method)), { code: 'single_sign_on_required' });
    }
  });

  await t.test('restricts sessions that were opened before', async (t) => {
    const visitor = browser();
    const [pair = ''] = (early.cookies[0] ?? '').split(';');
    visitor.setCookie(app.url, pair.split('=')[0] ?? '', pair.slice(pair.indexOf('=') + 1));
    t.match(await single.me(visitor), { session: { restriction: 'single_sign_on_required' } });
    const answer = await visitor.open(`${app.url}/v1/single-sign-on`);
    t.match(JSON.parse(answer.text), { code: 'single_sign_on_required' });
  });

  await t.test('opens another workspace of the person instead', async (t) => {
    const own = await buildWorkspace(app.parts.mongo, { email: 'two@example.com' });
    await db.collection('memberships').insertOne({
      ...{ _id: `${app.workspace.id}/${own.userId}`, workspace_id: app.workspace.id, user_id: own.userId },
      ...{ role: 'member', created_at_ms: Date.now() + 1_000 },
    } as never);
    await users.updateOne({ _id: own.userId }, { $set: { last_workspace_id: app.workspace.id } });
    const { actor } = await logIn(own.userId);
    t.equal(actor.workspaceId, own.id);
    t.match(await refusal(logIn(own.userId, app.workspace.id)), { code: 'single_sign_on_required' });
  });

  await t.test('admits the break-glass owner, the provider and API keys', async (t) => {
    t.match((await logIn(glass, app.workspace.id)).actor, {
      workspaceId: app.workspace.id,
      session: { restriction: null },
    });
    provider.signInAs(accountOf('ada@example.com'));
    const visitor = browser();
    t.equal((await single.signIn(visitor)).status, 302);
    t.match(await single.me(visitor), { userId: ada, role: 'admin', session: { restriction: null } });
    t.equal((await app.request('GET', '/v1/single-sign-on')).status, 200, 'a key');
  });

  await t.test('does so on every plan, on which the provider then works, until an owner ends it', async (t) => {
    const workspaces = db.collection<{ _id: string; plan: string }>('workspaces');
    await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Pro' } });
    t.match(await refusal(logIn(ada)), { code: 'single_sign_on_required' });
    provider.signInAs(accountOf('ada@example.com'));
    const visitor = browser();
    t.equal((await single.signIn(visitor)).status, 302, 'nobody is locked out');
    t.match(await single.me(visitor), { userId: ada, session: { restriction: null } });
    t.match((await logIn(glass, app.workspace.id)).actor, { session: { restriction: null } });
    t.match(await put({ enforced: false }), { status: 403, body: { code: 'plan_required' } });
    await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Enterprise' } });
    t.match(await refusal(logIn(ada)), { code: 'single_sign_on_required' });
    provider.stop();
    t.equal((await put({ enforced: false })).status, 200, 'also while the provider is down');
    provider.start();
    t.match((await logIn(ada)).actor, { workspaceId: app.workspace.id });
    await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Pro' } });
    t.match(await single.start(browser()), { status: 403, text: /plan of this workspace/ }, 'no longer needed');
  });

  await t.test('an owner ends it on a smaller plan by removing the provider', async (t) => {
    const workspaces = db.collection<{ _id: string; plan: string }>('workspaces');
    await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Enterprise' } });
    t.equal((await put({ enforced: true, break_glass_user_id: glass })).status, 200);
    await workspaces.updateOne({ _id: app.workspace.id }, { $set: { plan: 'Free' } });
    t.match(await refusal(logIn(ada)), { code: 'single_sign_on_required' });
    t.equal((await single.asOwner('DELETE', '/v1/single-sign-on', { workspace: app.workspace })).status, 204);
    t.match((await logIn(ada)).actor, { workspaceId: app.workspace.id });
  });
});
