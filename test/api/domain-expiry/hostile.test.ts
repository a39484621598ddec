import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { domainAnswer, type RdapReply } from '../../helpers/domain-expiry/rdap-server.js';

const DAY = 86_400_000;
const NAME = 'example.com';
const GOOD: RdapReply = { expires: '2032-03-01T03:00:00Z' };

async function setUp(t: Test, reply: RdapReply | null) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  if (reply !== null) app.rdap.domains.set(NAME, reply);
  await app.monitor(`https://${NAME}/`);
  await app.run();
  return app;
}

t.test('a suffix without RDAP is said once in a workspace, and never asked', async (t) => {
  const app = await setUp(t, GOOD);
  app.rdap.suffixes.delete('org');
  await app.monitor('https://one.de/');
  await app.monitor('https://two.de/');
  for (let day = 0; day < 16; day++) {
    await app.run();
    app.clock.jump(DAY);
  }
  t.match(await app.domains('?q=.de'), [
    { name: 'two.de', status: 'unsupported', expires_at: null },
    { name: 'one.de', status: 'unsupported' },
  ]);
  t.match(await app.timeline(), [
    {
      type: 'domain.unsupported',
      message: 'The registry of .de has no RDAP server, so Picket cannot see when one.de expires.',
    },
  ]);
  t.strictSame([...new Set(app.rdap.asked)], [NAME]);
  t.strictSame(await app.incidents(), []);
  app.rdap.suffixes.set('de', `http://127.0.0.1:${app.rdap.port}/de/`);
  app.rdap.domains.set('one.de', GOOD);
  for (let day = 0; day < 8; day++) {
    app.clock.jump(DAY);
    await app.run();
  }
  t.match(await app.domains('?q=one.de'), [{ status: 'known' }], 'a later list may have it');
});

t.test('a domain that is not registered is said, and pages nobody', async (t) => {
  const app = await setUp(t, null);
  t.match(await app.domains(), [{ status: 'not_registered', checked_at: '2031-01-31T12:00:00.000Z', problem: null }]);
  app.clock.jump(DAY);
  await app.run();
  t.match(await app.timeline(), [
    { type: 'domain.not_registered', message: 'The registry of .com says that example.com is not registered.' },
  ]);
  t.equal((await app.timeline()).length, 1);
  t.strictSame(await app.incidents(), []);
});

t.test('answers without a usable date are not told, and no error', async (t) => {
  const app = await setUp(t, { status: 200, body: domainAnswer(NAME, null) });
  const status = async (body: string) => {
    app.rdap.domains.set(NAME, { status: 200, body });
    app.clock.jump(DAY);
    await app.run();
    const [domain] = await app.domains();
    return [domain?.status, domain?.expires_at, domain?.problem];
  };
  t.match(await app.domains(), [
    { status: 'not_told', expires_at: null, problem: null, registrar: 'Example Registrar' },
  ]);
  for (const date of ['never', '', '9999-12-31T23:59:59Z', '0000-00-00', '2031-02-30x', '1900-01-01', '١٢'])
    t.strictSame(await status(domainAnswer(NAME, date)), ['not_told', null, null], date);
  const several = ['never', '2036-01-01T00:00:00Z', '2035-01-01T00:00:00Z', '9999-01-01T00:00:00Z'];
  const events = several.map((eventDate) => ({ eventAction: 'expiration', eventDate }));
  t.strictSame(await status(domainAnswer(NAME, null, { events })), ['known', '2036-01-01T00:00:00.000Z', null]);
  t.strictSame(await status(domainAnswer(NAME, '2035-05-01')), ['known', '2035-05-01T00:00:00.000Z', null]);
  for (const zone of ['+02:00', '+0200', '+02']) {
    const expected = ['known', '2035-05-01T00:00:00.000Z', null];
    t.strictSame(await status(domainAnswer(NAME, `2035-05-01T02:00:00${zone}`)), expected, zone);
  }
  const redacted = { entities: [{ roles: ['registrar'] }, null, 7, { roles: 1 }], redacted: [{}], remarks: null };
  t.strictSame(await status(domainAnswer(NAME, '2035-05-01', redacted)), ['known', '2035-05-01T00:00:00.000Z', null]);
});

t.test('answers that cannot be read are refused, and change nothing that was known', async (t) => {
  const app = await setUp(t, GOOD);
  const bodies: [string, RegExp][] = [
    ['x'.repeat(10_000_000), /^the answer is larger than 256 KiB$/],
    ['['.repeat(200_000), /^the answer is no JSON$/],
    [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, /^the answer is not as it should be/],
    ['<html><body>Sorry</body></html>', /^the answer is no JSON$/],
    ['', /^the answer is no JSON$/],
    ['null', /^the answer is not as it should be/],
    ['{"objectClassName":"entity"}', /^the answer is not about a domain$/],
    [domainAnswer('example.net', '2031-02-01T00:00:00Z'), /^the answer is about another domain$/],
    [domainAnswer(NAME, null, { events: 'x' }), /^the answer is not as it should be at \/events/],
    [domainAnswer(NAME, null, { events: Array(10_000).fill({ eventAction: 'x' }) }), /\/events/],
  ];
  for (const [body, problem] of bodies) {
    app.rdap.domains.set(NAME, { status: 200, body });
    app.clock.jump(DAY);
    t.equal(await app.run(), 1);
    t.match((await app.domains())[0], { expires_at: '2032-03-01T03:00:00.000Z', problem }, body.slice(0, 40));
  }
  t.match((await app.domains())[0], { status: 'unreachable' }, 'after three days');
  app.rdap.domains.set(NAME, GOOD);
  app.clock.jump(DAY);
  await app.run();
  t.match((await app.domains())[0], { status: 'known', problem: null });
  t.strictSame(await app.incidents(), []);
});

t.test('a server that is busy is left alone as long as it asks, for all of its domains', async (t) => {
  const app = await setUp(t, { status: 429, headers: { 'retry-after': '7200' } });
  app.rdap.domains.set('example.org', GOOD);
  app.rdap.domains.set('two.com', GOOD);
  await app.monitor('https://two.com/');
  await app.run();
  t.strictSame(app.rdap.asked, [NAME]);
  t.match(await app.domains(), [
    { name: 'two.com', status: 'pending' },
    { name: NAME, status: 'unreachable', problem: 'the server answers with HTTP 429' },
  ]);
  app.clock.jump(7_199_000);
  await app.run();
  t.equal(app.rdap.asked.length, 1);
  app.rdap.domains.set(NAME, GOOD);
  app.clock.jump(1_000);
  await app.run();
  app.clock.jump(2_000);
  await app.run();
  t.strictSame(app.rdap.asked.slice(1).toSorted(), [NAME, 'two.com']);
  t.match(await app.domains(), [{ status: 'known' }, { status: 'known' }]);
});

t.test('without Retry-After, the pauses of a failing server grow to six hours', async (t) => {
  const app = await setUp(t, { status: 503 });
  const asked: number[] = [];
  for (let minute = 0; minute < 24 * 60; minute++) {
    const before = app.rdap.asked.length;
    app.clock.jump(60_000);
    if (minute % 5 === 0) await app.run();
    if (app.rdap.asked.length > before) asked.push(minute);
  }
  t.ok(asked.length >= 8 && asked.length <= 14, `${asked.length} questions in a day`);
});

t.test('redirects are followed through the guard, and not to metadata addresses', async (t) => {
  const app = await setUp(t, GOOD);
  const [own] = app.rdap.asked;
  t.equal(own, NAME);
  const to = async (location: string) => {
    app.rdap.domains.set(NAME, { status: 302, headers: { location } });
    app.clock.jump(DAY);
    await app.run();
    const [domain] = await app.domains();
    return domain?.problem ?? null;
  };
  app.rdap.domains.set('other.org', { status: 200, body: domainAnswer(NAME, '2033-01-01T00:00:00Z') });
  t.equal(await to(`http://localhost:${app.rdap.port}/org/domain/other.org`), null);
  t.match((await app.domains())[0], { expires_at: '2033-01-01T00:00:00.000Z' });
  t.match(await to('http://169.254.169.254/latest/meta-data/'), /not allowed/);
  app.clock.jump(DAY);
  t.match(await to('/com/domain/example.com'), /redirects more than 3 times/);
  t.match(await to('ftp://example.com/'), /without encryption/);
  t.match(await to('http://['), /redirects to no URL/);
  t.match(await to(''), /redirects to no URL/);
});

t.test('an installation that must not connect to private networks asks no server there', async (t) => {
  const app = await startDomainsApp({ allowPrivate: false });
  t.teardown(() => app.stop());
  await app.monitor(`https://${NAME}/`);
  await app.run();
  t.match(await app.domains(), [{ status: 'pending' }]);
  t.equal(app.rdap.lists(), 0);
});
