import t from 'tap';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startHostileProvider } from '../../helpers/single-sign-on/hostile-provider.js';
import { settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

const provider = await startHostileProvider();
const single = await startSingleSignOn();
t.teardown(() => Promise.all([single.close(), provider.close()]));
await single.verifyDomain('example.com');
await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });

/** Logs in with these claims. Resolves to what the provider was asked, and to the session; null for no session. */
async function confirm(claims: Record<string, unknown>) {
  const visitor = browser();
  const started = await single.start(visitor, `workspace=${single.app.workspace.id}&confirm=true`);
  const asked = new URL(started.headers.get('location') ?? '').searchParams;
  provider.forge({ claims: { nonce: asked.get('nonce'), ...claims } });
  await visitor.open(`${single.app.url}/v1/auth/sso/callback?code=c&state=${asked.get('state')}`);
  return { asked, session: (await single.me(visitor))?.['session'] ?? null };
}

const nowS = () => Math.floor(Date.now() / 1_000);

t.test('a confirmation makes the provider ask the person, and counts from when they answered', async (t) => {
  const answeredS = nowS() - 5;
  const { asked, session } = await confirm({ auth_time: answeredS });
  t.equal(asked.get('prompt'), 'login', 'also a person whom it knows');
  t.match(asked.get('max_age'), /^\d+$/);
  t.match(session, { confirmedAtMs: answeredS * 1_000 });
});

t.test('a provider that did not ask the person, or does not say when, confirms nothing', async (t) => {
  t.equal((await confirm({ auth_time: nowS() - 3_600 })).session, null, 'an hour ago');
  t.equal((await confirm({ auth_time: undefined })).session, null, 'nobody knows when');
});
