// Measures servers that are lost at once: the time from the moment when the third sample is missing until each server
// has its incident and its notifications. The control plane is a process of its own, and its agents have fallen silent.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/servers-lost.ts
import { Binary } from 'mongodb';
import type { ServerDocument } from '../control-plane/servers/documents.js';
import { testDatabase } from '../test/helpers/database.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { buildServer } from '../test/helpers/servers/history.js';
import { waitFor } from '../test/helpers/wait.js';
import { printFigure, round } from './fixtures/figures.js';
import { startWebhookTarget } from './fixtures/fleet.js';
import { cpuMeter, pidOnPort } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

const SERVERS = benchSetting('SERVERS', 500);
const SECONDS_MAX = 60;
const MISSED_MS = 30_000;
const GIVE_UP_MS = 600_000;

const database = await testDatabase();
const target = await startWebhookTarget();
const controlPlane = await startControlPlane(database.uri);
try {
  const config = { url: `http://127.0.0.1:${target.port}/` };
  await controlPlane.api('POST', '/v1/channels', { type: 'webhook', name: 'hook', config });
  // The first token of the workspace creates the rule.
  await controlPlane.api('POST', '/v1/servers/join-tokens');
  const workspace = await database.db.collection<{ _id: string }>('workspaces').findOne({});
  if (workspace === null) throw new Error('no workspace');
  const planes = database.db.collection('control_planes');
  await waitFor('a heartbeat', 10_000, async () => (await planes.countDocuments()) > 0);
  await planes.updateMany({}, [{ $set: { complete_from: { $subtract: ['$$NOW', 1] } } }]);

  const meter = await cpuMeter({
    control_plane: controlPlane.pid,
    mongod: await pidOnPort('mongod', database.client.options.hosts[0]?.port ?? 0),
  });
  const heardMs = Date.now() - MISSED_MS + 2_000;
  const live = { at_ms: heardMs, received_at_ms: heardMs, report: new Binary() };
  await database.db.collection<ServerDocument>('servers').insertMany(
    Array.from({ length: SERVERS }, (_, index) => ({
      ...buildServer({ workspace_id: workspace._id, name: `web-${index}`, status: 'online' }),
      ...{ heard_at: new Date(heardMs), live },
    })),
  );
  const missedMs = heardMs + MISSED_MS;
  const seconds = () => (Date.now() - missedMs) / 1_000;
  const incidents = database.db.collection('incidents');
  await waitFor('the first incident', GIVE_UP_MS, async () => (await incidents.countDocuments()) > 0, 50);
  const firstSeconds = seconds();
  await waitFor('incidents', GIVE_UP_MS, async () => (await incidents.countDocuments()) >= SERVERS, 50);
  const [openSeconds, cpu] = [seconds(), await meter.read()];
  await waitFor('notifications', GIVE_UP_MS, async () => (await target.seen()).notifications >= SERVERS, 50);
  printFigure({
    name: 'servers lost at once: all incidents open',
    value: openSeconds,
    unit: 's',
    limit: SECONDS_MAX,
    atMost: true,
    servers: SERVERS,
    first_after: round(firstSeconds, 1),
    all_notified_after: round(seconds(), 1),
    cpu_seconds: cpu,
  });
} finally {
  await controlPlane.remove();
  target.stop();
  await database.drop();
}
