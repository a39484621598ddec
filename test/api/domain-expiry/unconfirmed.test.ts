import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';

const [MINUTE, HOUR, DAY] = [60_000, 3_600_000, 86_400_000];
const NAME = 'example.com';

/** A domain with this many days left whose registry has answered once, and answers HTTP 500 from then on. */
async function setUp(t: Test, days: number) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const expiresMs = app.clock.now() + days * DAY + HOUR;
  app.rdap.domains.set(NAME, { expires: new Date(expiresMs).toISOString() });
  await app.monitor(`https://${NAME}/`);
  await app.run();
  await app.sweep();
  app.rdap.domains.set(NAME, { status: 500 });
  const nextDay = async () => {
    app.clock.jump(DAY);
    await app.run();
    await app.clock.advance(MINUTE);
    await app.sweep();
  };
  const open = async () =>
    (await app.incidents())
      .filter(({ status }) => status !== 'resolved')
      .map(({ subject, severity }) => [subject, severity]);
  return { app, expiresMs, nextDay, open };
}

t.test('a date that the registry has not confirmed for three days reaches no further stage', async (t) => {
  const { app, expiresMs, nextDay, open } = await setUp(t, 9);
  t.strictSame(await open(), [['domain:example.com:14', 'warning']]);
  for (let day = 1; day <= 3; day++) await nextDay();
  t.strictSame(await open(), [['domain:example.com:7', 'warning']], 'for three days the date counts');
  for (let day = 4; day <= 12; day++) await nextDay();
  t.strictSame(await open(), [['domain:example.com:7', 'warning']], 'then it keeps the stage that it has reached');
  t.match(await app.domains(), [{ status: 'unreachable', days_remaining: -3, problem: /HTTP 500/ }]);
  app.rdap.domains.set(NAME, { expires: new Date(expiresMs).toISOString() });
  await nextDay();
  await nextDay();
  t.strictSame(await open(), [['domain:example.com:3', 'critical']], 'once the registry says so again');
});

t.test('an incident that opens with an unconfirmed date says as of when', async (t) => {
  const { app, nextDay, open } = await setUp(t, 20);
  const rules = await app.request<{ id: string }[]>('GET', '/v1/alert-rules');
  const path = `/v1/alert-rules/${rules.body.data[0]?.id}`;
  await app.request('PATCH', path, { body: { enabled: false } });
  for (let day = 1; day <= 5; day++) await nextDay();
  t.strictSame(await open(), []);
  await app.request('PATCH', path, { body: { enabled: true } });
  await app.sweep();
  t.strictSame(await open(), [['domain:example.com:30', 'warning']]);
  const incident = (await app.incidents()).at(-1);
  t.match(incident?.message, /expires in 15 days, on .*, as of 2031-01-31 12:00:00 UTC\. Renew it/);
  const shown = await app.request('GET', `/v1/alerts/${incident?._id}`);
  t.match(shown.body.data, { decision: { registration: { checked_at: '2031-01-31T12:00:00.000Z' } } });
});

t.test('a domain whose server must be left alone says why, and is unreachable after three days', async (t) => {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const good = { expires: '2032-03-01T03:00:00Z' };
  app.rdap.domains.set(NAME, good);
  await app.monitor(`https://${NAME}/`);
  await app.run();
  app.clock.jump(HOUR);
  app.rdap.domains.set('busy.com', { status: 429, headers: { 'retry-after': '86400' } });
  await app.monitor('https://busy.com/');
  await app.run();
  const asked = app.rdap.asked.length;
  const known = async () => (await app.domains(`?q=${NAME}`))[0];
  // busy.com is asked first each day, because its turn is before that of example.com.
  app.clock.jump(DAY - HOUR);
  await app.run();
  t.match(await known(), { status: 'known', problem: 'the server answers with HTTP 429', expires_at: /^2032-03-01/ });
  t.equal(app.rdap.asked.length, asked, 'it was not asked');
  for (let day = 0; day < 4; day++) {
    await app.mongo.db
      .collection('rdap_servers')
      .updateMany({}, { $set: { free_at_ms: app.clock.now() + 2 * DAY, problem: 'the server answers with HTTP 429' } });
    app.clock.jump(DAY);
    await app.run();
  }
  const nextCheck = Date.parse((await known())?.next_check_at ?? '');
  app.clock.jump(nextCheck - app.clock.now() - 1);
  await app.mongo.db.collection('rdap_servers').updateMany({}, { $set: { free_at_ms: nextCheck + DAY } });
  app.clock.jump(1);
  await app.run();
  t.equal(app.rdap.asked.length, asked);
  t.match(await known(), { status: 'unreachable', problem: 'the server answers with HTTP 429' });
  t.match(await known(), { expires_at: /^2032-03-01/, checked_at: '2031-01-31T12:00:00.000Z' });
  app.rdap.domains.set('busy.com', good);
  app.clock.jump(DAY);
  await app.run();
  app.clock.jump(MINUTE);
  await app.run();
  t.match(await known(), { status: 'known', problem: null });
});
