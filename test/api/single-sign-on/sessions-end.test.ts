import t from 'tap';
import type { MembershipDocument } from '../../../control-plane/accounts/documents.js';
import { membershipId } from '../../../control-plane/accounts/memberships-store.js';
import type { SessionDocument } from '../../../control-plane/sessions/documents.js';
import { buildSession, buildWorkspace } from '../../helpers/factories.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startHostileProvider } from '../../helpers/single-sign-on/hostile-provider.js';
import { settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

const PATH = '/v1/single-sign-on';

t.test('sessions that an identity provider opened', async (t) => {
  const single = await startSingleSignOn();
  const [provider, next] = [await startHostileProvider(), await startHostileProvider()];
  t.teardown(() => Promise.all([single.close(), provider.close(), next.close()]));
  const { app, db } = single;
  const { mongo } = app.parts;
  const { id: workspaceId } = app.workspace;
  const put = (settings: Record<string, unknown>) => single.asOwner('PUT', PATH, { body: settings });

  /** A member with a session of the provider and another one with a password. */
  async function member(email: string) {
    const { userId } = await buildWorkspace(mongo, { email });
    const _id = membershipId(workspaceId, userId);
    const membership = { _id, workspace_id: workspaceId, user_id: userId, role: 'admin', created_at_ms: 1 } as const;
    await db.collection<MembershipDocument>('memberships').insertOne(membership);
    return { userId, ...(await logIn(userId)) };
  }
  async function logIn(userId: string) {
    const sessions = db.collection<SessionDocument>('sessions');
    // Not by a request: the server of the test keeps what it has read for five seconds.
    const works = (_id: string) => async () => (await sessions.countDocuments({ _id })) === 1;
    const at = { id: workspaceId, userId };
    const of = { method: 'single_sign_on', provider_workspace_id: workspaceId } as const;
    return {
      byProvider: works((await buildSession(mongo, at, of)).session._id),
      byPassword: works((await buildSession(mongo, at)).session._id),
    };
  }
  type Sessions = Awaited<ReturnType<typeof logIn>>;
  const state = async ({ byProvider, byPassword }: Sessions) => [await byProvider(), await byPassword()];
  const ended = async (action: string) => (await single.audit(action)).at(-1)?.['metadata'];

  await single.verifyDomain('example.com');
  await single.verifyDomain('example.org');
  t.equal((await put(settingsOf(provider))).status, 200);
  const ada = await member('ada@example.com');
  const bob = await member('bob@example.org');

  await t.test('go on after other changes of the settings', async (t) => {
    t.equal((await put(settingsOf(provider, { default_role: 'viewer' }))).status, 200);
    t.same(await state(ada), [true, true]);
  });

  await t.test('of one person end when the person is unlinked', async (t) => {
    await db
      .collection('single_sign_on_identities')
      .insertOne({ provider: workspaceId, issuer: provider.issuer, user_id: ada.userId });
    const unlinked = await single.asOwner('POST', `${PATH}/unlink`, { body: { user_id: ada.userId } });
    t.equal(unlinked.status, 204);
    t.same(await state(ada), [false, true]);
    t.same(await state(bob), [true, true]);
    t.match(await ended('integration.updated'), { unlinked_user: ada.userId, sessions_ended: 1 });
  });

  await t.test('of the people of a domain end when the domain is removed', async (t) => {
    const again = await logIn(ada.userId);
    t.equal((await single.asOwner('DELETE', `${PATH}/domains/example.org`)).status, 204);
    t.same(await state(bob), [false, true]);
    t.same(await state(again), [true, true], 'of another domain');
    t.match(await ended('integration.updated'), { domain: 'example.org', change: 'removed', sessions_ended: 1 });
  });

  await t.test('end when the issuer is another one', async (t) => {
    const again = await logIn(ada.userId);
    t.same(await state(again), [true, true]);
    t.equal((await put(settingsOf(next))).status, 200);
    t.same(await state(again), [false, true]);
    t.match(await ended('integration.updated'), { changes: { issuer: {} }, sessions_ended: 2 });
  });

  await t.test('end with the provider, and those of other providers go on', async (t) => {
    const again = await logIn(ada.userId);
    const elsewhere = await buildWorkspace(mongo);
    const { session } = await buildSession(mongo, elsewhere, {
      method: 'single_sign_on',
      provider_workspace_id: elsewhere.id,
    });
    t.equal((await single.asOwner('DELETE', PATH)).status, 204);
    t.same(await state(again), [false, true]);
    t.equal(await db.collection<{ _id: string }>('sessions').countDocuments({ _id: session._id }), 1);
    t.match(await ended('integration.disconnected'), { issuer: next.issuer, sessions_ended: 1 });
  });

  await t.test('are not opened by a log-in that ends after the removal', async (t) => {
    await single.verifyDomain('example.net');
    t.equal((await put(settingsOf(provider))).status, 200);
    const sessionsOfProvider = () =>
      db.collection('sessions').countDocuments({ method: 'single_sign_on', provider_workspace_id: workspaceId });
    const logInWhile = async (run: () => Promise<unknown>) => {
      const visitor = browser();
      const asked = new URL((await single.start(visitor)).headers.get('location') ?? '').searchParams;
      provider.forge({ claims: { nonce: asked.get('nonce'), email: 'eve@example.net' } });
      provider.beforeToken(run);
      return visitor.open(`${app.url}/v1/auth/sso/callback?code=c&state=${asked.get('state')}`);
    };
    t.equal((await logInWhile(async () => {})).status, 302);
    t.equal(await sessionsOfProvider(), 1);
    const refused = await logInWhile(async () => t.equal((await single.asOwner('DELETE', PATH)).status, 204));
    t.not(refused.status, 302);
    t.equal(await sessionsOfProvider(), 0, 'that of the first log-in has ended, and the second got none');
  });
});
