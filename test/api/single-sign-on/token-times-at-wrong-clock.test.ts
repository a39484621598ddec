import t from 'tap';
import { systemClock } from '../../../kernel/clock.js';
import { browser } from '../../helpers/single-sign-on/browser.js';
import { startHostileProvider } from '../../helpers/single-sign-on/hostile-provider.js';
import { settingsOf, startSingleSignOn } from '../../helpers/single-sign-on/setup.js';

const TEN_MINUTES_MS = 600_000;

for (const [what, aheadMs] of [
  ['ahead', TEN_MINUTES_MS],
  ['behind', -TEN_MINUTES_MS],
] as const) {
  t.test(`a machine whose clock is ten minutes ${what} accepts tokens that are valid now`, async (t) => {
    const provider = await startHostileProvider();
    const now = () => systemClock.now() - aheadMs;
    const single = await startSingleSignOn({ clock: { ...systemClock, now } });
    t.teardown(() => Promise.all([single.close(), provider.close()]));
    await single.verifyDomain('example.com');
    await single.asOwner('PUT', '/v1/single-sign-on', { body: settingsOf(provider) });
    const visitor = browser();
    const asked = new URL((await single.start(visitor)).headers.get('location') ?? '').searchParams;
    const nowS = Math.floor(now() / 1_000);
    provider.forge({ claims: { nonce: asked.get('nonce'), iat: nowS, nbf: nowS, exp: nowS + 300 } });
    const answer = await visitor.open(`${single.app.url}/v1/auth/sso/callback?code=c&state=${asked.get('state')}`);
    t.equal(answer.status, 302, answer.text.slice(0, 300));
    t.match(await single.me(visitor), { email: 'ada@example.com' });
  });
}
