import t, { type Test } from 'tap';
import { startDomainsApp } from '../../helpers/domain-expiry/app.js';

const DAY = 86_400_000;
const NAME = 'example.com';

async function setUp(t: Test, days: number) {
  const app = await startDomainsApp();
  t.teardown(() => app.stop());
  const expiresMs = app.clock.now() + days * DAY + 3_600_000;
  app.rdap.domains.set(NAME, { expires: new Date(expiresMs).toISOString() });
  await app.monitor(`https://www.${NAME}/`);
  await app.addChannel();
  await app.run();
  await app.sweep();
  const nextDay = async () => {
    app.clock.jump(DAY);
    await app.run();
    await app.clock.advance(60_000);
    await app.sweep();
  };
  return { app, expiresMs, nextDay };
}

t.test('a domain opens one incident at 30, 14, 7 and 3 days, each notified once', async (t) => {
  const { app, nextDay } = await setUp(t, 31);
  t.strictSame(await app.incidents(), []);
  const found: [number, string, number][] = [];
  for (let day = 30; day >= -1; day--) {
    await nextDay();
    const open = (await app.incidents()).filter(({ status }) => status !== 'resolved');
    t.ok(open.length <= 1, `day ${day}`);
    const [incident] = open;
    const days = Number(incident?.subject.split(':').at(-1));
    if (incident !== undefined && found.at(-1)?.[0] !== days) found.push([days, incident.severity, day]);
  }
  t.strictSame(found, [
    [30, 'warning', 29],
    [14, 'warning', 13],
    [7, 'warning', 6],
    [3, 'critical', 2],
  ]);
  const incidents = await app.incidents();
  t.strictSame(
    incidents.map(({ status, resolution }) => [status, resolution]),
    [
      ['resolved', 'superseded'],
      ['resolved', 'superseded'],
      ['resolved', 'superseded'],
      ['firing', null],
    ],
  );
  t.match(incidents[0], {
    kind: 'domain',
    resource: { type: 'domain', name: NAME },
    message: /^The registration of example\.com expires in 29 days, on .* Renew it at Example Registrar\.$/,
  });
  const shown = await app.request('GET', `/v1/alerts/${incidents[3]?._id}`);
  t.match(shown.body.data, {
    decision: {
      rule: { type: 'domain_expiring' },
      registration: { domain: NAME, days: 3, registrar: 'Example Registrar' },
    },
  });
  t.equal(await app.openings(), 4);
});

t.test('a renewal resolves the incident', async (t) => {
  const { app, expiresMs, nextDay } = await setUp(t, 2);
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical' }]);
  app.rdap.domains.set(NAME, { expires: new Date(expiresMs + 365 * DAY).toISOString() });
  await nextDay();
  const [incident, ...more] = await app.incidents();
  t.strictSame(more, []);
  t.match(incident, { status: 'resolved', resolution: 'recovered', message: /was renewed until/ });
  t.equal(await app.openings(), 1);
  await nextDay();
  t.equal((await app.incidents()).length, 1);
});

t.test('a stage that a person resolved does not open again; the next one does', async (t) => {
  const { app, nextDay } = await setUp(t, 9);
  const [incident] = await app.incidents();
  t.match(incident, { status: 'firing', severity: 'warning' });
  t.equal((await app.request('POST', `/v1/alerts/${incident?._id}/resolve`)).status, 200);
  await nextDay();
  t.equal((await app.incidents()).length, 1);
  await nextDay();
  await nextDay();
  t.match(await app.incidents(), [{ status: 'resolved' }, { status: 'firing', subject: /:7$/ }]);
});

t.test('an outage of the registry neither opens nor resolves anything, and a stage is still reached', async (t) => {
  const { app, nextDay } = await setUp(t, 8);
  app.rdap.domains.set(NAME, { status: 503 });
  await nextDay();
  await nextDay();
  await nextDay();
  t.match(await app.domains(), [
    { status: 'unreachable', problem: 'the server answers with HTTP 503', days_remaining: 5 },
  ]);
  t.match(await app.incidents(), [
    { status: 'resolved', resolution: 'superseded' },
    { status: 'firing', subject: /:7$/ },
  ]);
});

t.test('the rule can be disabled and enabled again', async (t) => {
  const { app, nextDay } = await setUp(t, 2);
  const rules = await app.request<{ id: string; name: string }[]>('GET', '/v1/alert-rules');
  t.match(rules.body.data, [{ name: 'Domain expiring', type: 'domain_expiring', severity: 'warning', enabled: true }]);
  const path = `/v1/alert-rules/${rules.body.data[0]?.id}`;
  await app.request('PATCH', path, { body: { enabled: false } });
  t.match(await app.incidents(), [{ status: 'resolved', resolution: 'rule_disabled' }]);
  await nextDay();
  t.equal((await app.incidents()).length, 1);
  await app.request('PATCH', path, { body: { enabled: true } });
  await app.sweep();
  t.match(await app.incidents(), [{ status: 'resolved' }, { status: 'firing' }]);
});

t.test('a domain that is deleted after its expiry does not look renewed', async (t) => {
  const { app, nextDay } = await setUp(t, 1);
  await nextDay();
  app.rdap.domains.delete(NAME);
  await nextDay();
  await nextDay();
  t.match(await app.domains(), [{ status: 'not_registered', days_remaining: -2 }]);
  t.match(await app.incidents(), [{ status: 'firing', severity: 'critical' }]);
});
