import t, { type Test } from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { setUpAlertRules } from '../../helpers/alert-rules/setup.js';

const MINUTE = 60_000;
const LOOK_MS = 300_000;

async function setUp(t: Test) {
  const world = await setUpAlertRules();
  t.teardown(() => world.stop());
  const server = await world.insertServer();
  /** Stores a sample for each minute until now. */
  async function filled(
    minutes: number,
    disks: Record<string, (minute: number) => number>,
    of: ServerDocument = server,
  ) {
    const startMs = world.clock.now() - minutes * MINUTE;
    for (let minute = 0; minute < minutes; minute++) {
      const series = Object.entries(disks).map(([mount, at]) => [`disk_used_percent:${mount}`, at(minute)] as const);
      const values = { disk_used_percent: 99.9, ...Object.fromEntries(series) };
      await world.sample(of, values, { unseen: true, atMs: startMs + minute * MINUTE });
    }
  }
  /** Lets time pass with a sample each minute, and checks the disks. */
  async function check(disks: Record<string, (minute: number) => number>) {
    await world.clock.advance(LOOK_MS);
    await filled(5, disks);
    await world.first.checkDisks();
  }
  return { world, server, filled, check };
}

const RULE = { name: 'Disk full within a day', type: 'disk_full' };

t.test(
  'a disk that will be full within the hours opens an incident with a forecast, until the growth ends',
  async (t) => {
    const { world, server, filled, check } = await setUp(t);
    const rule = await world.rule(RULE);
    await filled(360, { '/var': (minute) => 68 + (16 * minute) / 360, '/home': () => 84 });
    await world.first.checkDisks();
    await world.first.checkDisks();
    const [incident, ...others] = await world.unresolved();
    t.same(others, [], 'one incident for one disk');
    t.match(incident, {
      kind: 'server',
      subject: `server:${server._id}:disk_full:/var`,
      severity: 'warning',
      resource: { type: 'server', id: server._id, name: 'web-1' },
      decision: { rule: { id: rule.id, metric: 'disk_full:/var' } },
    });
    t.match(
      incident?.message,
      /^web-1: \/var is 83\.[5-9] % full and will be full in about 6 h at the present rate of 2\.6\d? percentage points per hour\.$/,
    );
    const answer = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
    t.match(answer.body.data.decision, { forecast: { observed_hours: 6 } });
    const level = () => 84;
    await check({ '/var': level, '/home': level });
    t.equal((await world.unresolved()).length, 1, 'the trend continues');
    for (let checks = 0; checks < 20; checks++) await check({ '/var': level, '/home': level });
    t.match(await world.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
    t.match((await world.incidents())[0]?.message, /^web-1: \/var is 84 % full and will not be full soon\.$/);
  },
);

t.test('one clear check does not resolve, nor does a disk at 99 %; an unmounted disk does', async (t) => {
  const { world, server, filled } = await setUp(t);
  await world.rule({ ...RULE, within_hours: 48 });
  await filled(360, { '/var': (minute) => 90 + minute / 60, '/usb': (minute) => 80 + minute / 30 });
  await world.first.checkDisks();
  t.equal((await world.unresolved()).length, 2);
  const series = { disk_used_percent: 0, 'disk_used_percent:/var': 99.2 };
  const start = world.clock.now();
  await world.clock.advance(400 * MINUTE);
  for (let minute = 0; minute < 400; minute++) {
    await world.sample(server, series, { unseen: true, atMs: start + minute * MINUTE });
  }
  await world.first.checkDisks();
  t.equal((await world.unresolved()).length, 2, 'one check is not enough');
  await world.first.checkDisks();
  t.match(await world.unresolved(), [{ subject: `server:${server._id}:disk_full:/var` }]);
  t.match(
    (await world.incidents()).filter(({ resolution }) => resolution === 'gone'),
    [{ message: 'web-1 no longer sends samples of /usb.' }],
  );
});

t.test('two rules on one disk notify once; the disks of an offline server are not checked', async (t) => {
  const { world, server, filled } = await setUp(t);
  await world.rule({ ...RULE, name: 'Soon', within_hours: 8, severity: 'critical' });
  await world.rule({ ...RULE, name: 'Sometime', within_hours: 48 });
  await filled(360, { '/var': (minute) => 60 + minute / 60 });
  await world.changeServer(server._id, { status: 'offline' });
  await world.first.checkDisks();
  t.same(await world.incidents(), []);
  await world.changeServer(server._id, { status: 'online' });
  await world.first.checkDisks();
  t.match(await world.unresolved(), [
    { severity: 'warning', decision: { rule: { name: 'Sometime' }, other_rules: [] } },
  ]);
  const start = world.clock.now();
  await world.clock.advance(360 * MINUTE);
  for (let minute = 0; minute < 360; minute++) {
    const values = { 'disk_used_percent:/var': 66 + minute / 15 };
    await world.sample(server, values, { unseen: true, atMs: start + minute * MINUTE });
  }
  await world.first.checkDisks();
  t.match(await world.unresolved(), [{ severity: 'critical', decision: { other_rules: [{ name: 'Soon' }] } }]);
});

t.test('a server keeps the forecast of its disk that fills up first, also without a rule', async (t) => {
  const { world, server, filled, check } = await setUp(t);
  const forecast = async () => (await world.server(server._id))?.disk_forecast;
  await filled(360, {
    '/': () => 99.5,
    '/home': (minute) => 60 + minute / 60,
    '/var': (minute) => 68 + (16 * minute) / 360,
  });
  await world.first.checkDisks();
  const found = await forecast();
  t.match(found, { mount: '/var', at_ms: world.clock.now() });
  t.match(String(found?.percent), /^83\.[5-9]/, 'as full as it is now');
  const hours = ((found?.full_at_ms ?? 0) - world.clock.now()) / (60 * MINUTE);
  t.ok(hours > 5.9 && hours < 6.2, `16 % are left at 2.67 % an hour, so it is full in ${hours} h`);
  t.same(await world.incidents(), [], 'no rule asked for an incident');
  const level = () => 84;
  for (let checks = 0; checks < 20; checks++) await check({ '/': level, '/home': level, '/var': level });
  t.equal(await forecast(), null, 'the growth has ended');
});
