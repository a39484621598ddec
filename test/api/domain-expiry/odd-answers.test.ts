import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';
import { domainAnswer } from '../../helpers/domain-expiry/rdap-server.js';

const [HOUR, DAY] = [3_600_000, 86_400_000];
const NAME = 'example.com';

async function setUp(t: Test, days: number) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const expires = new Date(app.clock.now() + days * DAY + HOUR).toISOString();
  const later = (moreDays: number) => new Date(Date.parse(expires) + moreDays * DAY).toISOString();
  app.rdap.domains.set(NAME, { expires });
  await app.monitor(`https://${NAME}/`);
  await app.run();
  const answers = async (expiry: string | null, more: object = {}, afterMs = DAY) => {
    app.rdap.domains.set(NAME, { status: 200, body: domainAnswer(NAME, expiry, more) });
    app.clock.jump(afterMs);
    await app.run();
    await app.sweep();
    return (await app.incidents()).map(({ status, severity, resolution }) => [status, severity, resolution]);
  };
  return { app, expires, later, answers };
}

const CRITICAL = ['firing', 'critical', null];

t.test('answers without a date resolve nothing for three days, and then do not look like a renewal', async (t) => {
  const { app, expires, answers } = await setUp(t, 2);
  t.strictSame(await answers(null), [CRITICAL]);
  t.match(await app.domains(), [{ status: 'known', expires_at: expires }]);
  t.strictSame(await answers('2000-01-01'), [CRITICAL], 'before any expiry that a registry would still have');
  t.strictSame(await answers(null), [['resolved', 'critical', 'not_told']]);
  t.match(await app.domains(), [{ status: 'not_told', expires_at: null }]);
});

t.test('an odd event, status or entity hides no other', async (t) => {
  const { app, later, answers } = await setUp(t, 60);
  const events = [
    ...[null, 7, 'x', [], { eventAction: 1, eventDate: later(0) }, { eventAction: 'expiration' }],
    ...[{ eventAction: 'expiration', eventDate: { year: 2031 } }, { eventDate: later(0) }],
    { eventAction: 'expiration', eventDate: later(365) },
  ];
  const entities = [null, 'x', { roles: 'registrar' }, { roles: ['registrar'], vcardArray: ['vcard', [['fn']]] }];
  const named = { roles: ['registrar'], vcardArray: ['vcard', [7, ['fn', {}, 'text', 'Named']]] };
  t.strictSame(await answers(null, { events, entities: [...entities, named], status: [null, {}, 'active'] }), []);
  const expected = { status: 'known', expires_at: later(365), registrar: 'Named', problem: null };
  t.match(await app.domains(), [expected]);
});

t.test('a registry may write a name in another script as it is read', async (t) => {
  const { app, later } = await setUp(t, 60);
  const body = domainAnswer('xn--bcher-kva.com', later(0), { ldhName: 'BÜCHER.com.' });
  app.rdap.domains.set('xn--bcher-kva.com', { status: 200, body });
  await app.monitor('https://bücher.com/');
  app.clock.jump(HOUR);
  await app.run();
  t.match(await app.domains('?q=xn--'), [{ status: 'known', expires_at: later(0), problem: null }]);
});

t.test('a year that the registry adds by itself is no renewal', async (t) => {
  const { later, answers } = await setUp(t, 1);
  t.strictSame(await answers(later(365), { status: ['Auto Renew Period', 7] }), [CRITICAL]);
  t.strictSame(await answers(later(365), { status: ['auto renew period'] }), [CRITICAL]);
  t.strictSame(await answers(later(365), { status: ['active'] }), [['resolved', 'critical', 'recovered']]);
});

t.test('a domain that the registry is about to delete is critical, whatever its date', async (t) => {
  const { app, later, answers } = await setUp(t, 100);
  t.strictSame(await answers(later(365), { status: ['redemption period'] }), [CRITICAL]);
  t.match(await app.incidents(), [{ message: /has ended\. Restore it at Example Registrar now\.$/ }]);
});

t.test('an earlier date pages once the registry repeats it', async (t) => {
  const { app, expires, later, answers } = await setUp(t, 60);
  t.strictSame(await answers(later(-58)), []);
  t.match(await app.domains(), [{ status: 'known', expires_at: expires }]);
  t.strictSame(await answers(expires, {}, HOUR), [], 'it was a glitch');
  t.strictSame(await answers(later(-58)), []);
  t.strictSame(await answers(later(-58), {}, HOUR), [CRITICAL]);
});

t.test('a lost answer that all workspaces share, and a registry that is down, resolve nothing', async (t) => {
  const { app, expires } = await setUp(t, 2);
  await app.mongo.db.collection('domain_registrations').deleteMany({});
  app.rdap.domains.set(NAME, { status: 503 });
  app.clock.jump(DAY);
  await app.run();
  t.match(await app.domains(), [{ expires_at: expires, problem: /503/ }]);
  t.match(await app.incidents(), [{ status: 'firing' }]);
});

t.test('a stage that a person accepted stays so when the registry moves the time a little', async (t) => {
  const { app, later, answers } = await setUp(t, 9);
  const [incident] = await app.incidents();
  t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  t.strictSame(await answers(later(1)), [['resolved', 'warning', 'manual']]);
});

t.test('a suffix that a company offers to others is listed, and pages none of them', async (t) => {
  const { app } = await setUp(t, 100);
  app.rdap.domains.set('herokuapp.com', { expires: new Date(app.clock.now() + DAY).toISOString() });
  await app.monitor('https://shop.herokuapp.com/');
  await app.run();
  await app.sweep();
  t.match(await app.domains('?q=heroku'), [{ name: 'herokuapp.com', status: 'known', days_remaining: 0 }]);
  t.strictSame(await app.incidents(), []);
  const own = await app.monitor('https://herokuapp.com/');
  app.clock.jump(HOUR);
  await app.run();
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical', resource: { name: 'herokuapp.com' } }]);
  await app.change(own, null);
  await app.run();
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'deleted' }]);
});
