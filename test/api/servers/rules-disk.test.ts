import t, { type Test } from 'tap';
import type { IncidentDetail } from '../../../control-plane/incidents/schema.js';
import type { ServerDocument } from '../../../control-plane/servers/documents.js';
import { alertRulesWorld } from '../../helpers/alert-rules/world.js';

const MINUTE = 60_000;
const LOOK_MS = 300_000;

async function setUp(t: Test) {
  const world = await alertRulesWorld();
  t.teardown(() => world.stop());
  const server = await world.insertServer();
  /** A report each minute until now. */
  async function filled(
    minutes: number,
    disks: Record<string, (minute: number) => number>,
    of: ServerDocument = server,
  ) {
    const startMs = world.clock.now() - minutes * MINUTE;
    for (let minute = 0; minute < minutes; minute++) {
      const series = Object.entries(disks).map(([mount, at]) => [`disk_used_percent:${mount}`, at(minute)] as const);
      const values = { disk_used_percent: 99.9, ...Object.fromEntries(series) };
      await world.report(of, values, { unseen: true, atMs: startMs + minute * MINUTE });
    }
  }
  /** Time passes, with a report each minute, and somebody looks. */
  async function look(disks: Record<string, (minute: number) => number>) {
    await world.clock.advance(LOOK_MS);
    await filled(5, disks);
    await world.first.lookAtDisks();
  }
  return { world, server, filled, look };
}

const RULE = { name: 'Disk full within a day', type: 'disk_full' };

t.test('a disk that will be full within the hours is told of, with the forecast; and when that is over', async (t) => {
  const { world, server, filled, look } = await setUp(t);
  const rule = await world.rule(RULE);
  await filled(360, { '/var': (minute) => 68 + (16 * minute) / 360, '/home': () => 84 });
  await world.first.lookAtDisks();
  await world.first.lookAtDisks();
  const [incident, ...others] = await world.unresolved();
  t.same(others, [], 'one disk, one incident');
  t.match(incident, {
    kind: 'server',
    subject: `server:${server._id}:disk_full:/var`,
    severity: 'warning',
    resource: { type: 'server', id: server._id, name: 'web-1' },
    decision: { rule: { id: rule.id, metric: 'disk_full:/var' } },
  });
  t.match(
    incident?.message,
    /^web-1: \/var is 83\.[5-9] % full and will be full in about 6 h at the present rate \(2\.6\d? points an hour\)\.$/,
  );
  const answer = await world.app.request<IncidentDetail>('GET', `/v1/alerts/${incident?._id}`);
  t.match(answer.body.data.decision, { forecast: { observed_hours: 6 } });
  const level = () => 84;
  await look({ '/var': level, '/home': level });
  t.equal((await world.unresolved()).length, 1, 'the trend goes on');
  for (let looks = 0; looks < 20; looks++) await look({ '/var': level, '/home': level });
  t.match(await world.incidents(), [{ status: 'resolved', resolution: 'recovered' }]);
  t.match((await world.incidents())[0]?.message, /^web-1: \/var is 84 % full and no longer fills up/);
});

t.test('one good look is not enough, a disk at 99 % is not relieved, one that is gone is', async (t) => {
  const { world, server, filled } = await setUp(t);
  await world.rule({ ...RULE, within_hours: 48 });
  await filled(360, { '/var': (minute) => 90 + minute / 60, '/usb': (minute) => 80 + minute / 30 });
  await world.first.lookAtDisks();
  t.equal((await world.unresolved()).length, 2);
  const series = { disk_used_percent: 0, 'disk_used_percent:/var': 99.2 };
  const start = world.clock.now();
  await world.clock.advance(400 * MINUTE);
  for (let minute = 0; minute < 400; minute++) {
    await world.report(server, series, { unseen: true, atMs: start + minute * MINUTE });
  }
  await world.first.lookAtDisks();
  t.equal((await world.unresolved()).length, 2, 'one look is not enough');
  await world.first.lookAtDisks();
  t.match(await world.unresolved(), [{ subject: `server:${server._id}:disk_full:/var` }]);
  t.match(
    (await world.incidents()).filter(({ resolution }) => resolution === 'gone'),
    [{ message: 'web-1: /usb is no longer reported.' }],
  );
});

t.test('two rules on one disk page once; a server that is offline is left alone', async (t) => {
  const { world, server, filled } = await setUp(t);
  await world.rule({ ...RULE, name: 'Soon', within_hours: 8, severity: 'critical' });
  await world.rule({ ...RULE, name: 'Sometime', within_hours: 48 });
  await filled(360, { '/var': (minute) => 60 + minute / 60 });
  await world.changeServer(server._id, { status: 'offline' });
  await world.first.lookAtDisks();
  t.same(await world.incidents(), []);
  await world.changeServer(server._id, { status: 'online' });
  await world.first.lookAtDisks();
  t.match(await world.unresolved(), [
    { severity: 'warning', decision: { rule: { name: 'Sometime' }, other_rules: [] } },
  ]);
  const start = world.clock.now();
  await world.clock.advance(360 * MINUTE);
  for (let minute = 0; minute < 360; minute++) {
    const values = { 'disk_used_percent:/var': 66 + minute / 15 };
    await world.report(server, values, { unseen: true, atMs: start + minute * MINUTE });
  }
  await world.first.lookAtDisks();
  t.match(await world.unresolved(), [{ severity: 'critical', decision: { other_rules: [{ name: 'Soon' }] } }]);
});
