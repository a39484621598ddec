import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import type { RdapReply } from '../../helpers/domain-expiry/rdap-server.js';

const GOOD: RdapReply = { expires: '2032-03-01T03:00:00Z' };

/** Resolves to the names that were asked for, in order: a.com to d.com, of which the first `failing` get the reply. */
async function askedOf(t: Test, failing: number, reply: RdapReply) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  for (const [at, name] of ['a.com', 'b.com', 'c.com', 'd.com'].entries()) {
    app.rdap.domains.set(name, at < failing ? reply : GOOD);
    await app.monitor(`https://${name}/`);
    app.clock.jump(1);
    await app.run();
  }
  return app.rdap.asked;
}

t.test('a name for which the server always fails does not stop the others', async (t) => {
  t.strictSame(await askedOf(t, 1, { status: 500 }), ['a.com', 'b.com', 'c.com', 'd.com']);
  t.strictSame(await askedOf(t, 2, { status: 500 }), ['a.com', 'b.com', 'c.com', 'd.com']);
});

t.test('a server that fails for three names is left alone', async (t) => {
  t.strictSame(await askedOf(t, 3, { status: 500 }), ['a.com', 'b.com', 'c.com']);
});

t.test('a server that refuses or is busy is left alone at once, also when it asks for no pause', async (t) => {
  for (const status of [401, 403, 429, 503])
    t.strictSame(await askedOf(t, 1, { status, headers: { 'retry-after': '0' } }), ['a.com'], String(status));
});

t.test('an address that the server redirects to may fail without stopping the others', async (t) => {
  const reply = { status: 302, headers: { location: 'http://127.0.0.1:1/x' } };
  t.strictSame(await askedOf(t, 3, reply), ['a.com', 'b.com', 'c.com', 'd.com']);
});

t.test('a run ends after 50 domains, so that changes of monitors do not wait for the others', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  for (let i = 0; i < 55; i++) {
    app.rdap.domains.set(`many-${i}.com`, GOOD);
    await app.monitor(`https://many-${i}.com/`);
  }
  t.equal(await app.run(), 50);
  t.equal(await app.run(), 5);
});
