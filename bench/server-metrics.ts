// Measures how fast the history of one server among others is read, with the real stores and the real pack job.
//   PICKET_TEST_MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0 node --import tsx bench/server-metrics.ts
import { systemActor } from '../control-plane/actor.js';
import type { ServerMetricsView } from '../control-plane/servers/history/schema.js';
import type { ServerIdentity } from '../control-plane/servers/servers.js';
import { toIso } from '../kernel/clock.js';
import { startApp } from '../test/helpers/app.js';
import { testClock } from '../test/helpers/clock.js';
import { testDatabase } from '../test/helpers/database.js';
import { buildClient } from '../test/helpers/factories.js';
import { buildServer, buildServerHistory } from '../test/helpers/servers/history.js';
import { percentile, printFigure, round } from './fixtures/figures.js';
import { deliverDays, serverWalk } from './fixtures/server-walk.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DAYS = 30;
const NEIGHBOURS = 4;
const CALLS = 60;
const WARM_UP_CALLS = 20;
/** At this time, nothing of the current hour is packed, and the previous hour is completely packed. */
const NOW = Date.UTC(2031, 0, 31, 12, 55);

const database = await testDatabase();
const clock = testClock(NOW);
const history = await buildServerHistory(database, { clock });
const app = await startApp({ mongo: database, clock, routes: history.routes });
const route = history.routes[0];
const newServer = () => history.insertServer(buildServer({ workspace_id: app.workspace.id, status: 'online' }));
const server = await newServer();
try {
  const others: ServerIdentity[] = [];
  for (let index = 0; index < NEIGHBOURS; index++) others.push(await newServer());
  await deliverDays(history, server, serverWalk(), NOW - DAYS * DAY_MS, NOW);
  for (const other of others) await deliverDays(history, other, serverWalk(), NOW - DAY_MS, NOW);

  await measure('seven days of 8 metrics at 1m', 30, { from: NOW - 7 * DAY_MS, resolution: '1m' });
  await measure('30 days at 1h', 10, { from: NOW - 30 * DAY_MS, resolution: '1h' });
  await measure('1 h raw', 10, { from: NOW - HOUR_MS, resolution: 'raw' });
} finally {
  await app.close();
  await database.drop();
}

/** Measures the handler, from the validated query to the data, and the request, with authentication, JSON, gzip and network. */
async function measure(name: string, limit: number, { from, resolution }: { from: number; resolution: string }) {
  if (route?.kind !== 'read') throw new Error('the metrics route is missing');
  const { workspace } = app;
  const names =
    'cpu_percent,mem_used_percent,disk_used_percent,load_1,load_5,load_15,net_bytes_recv_rate,net_bytes_sent_rate';
  const query = { from: toIso(from), resolution, metrics: names };
  const actor = systemActor(workspace, 'bench');
  const path = `/v1/servers/${server.serverId}/metrics?${new URLSearchParams(query)}`;
  const handler: number[] = [];
  const cpu: number[] = [];
  const request: number[] = [];
  let points = 0;
  let kibibytes = 0;
  for (let call = -WARM_UP_CALLS; call < CALLS; call++) {
    const [before, cpuBefore] = [performance.now(), process.cpuUsage()];
    const reply = await route.handle({
      actor,
      params: { id: server.serverId },
      query,
      body: {},
      raw: null,
      ifVersion: null,
      range: null,
      gone: new AbortController().signal,
      client: buildClient(),
    });
    const handled = performance.now();
    const used = process.cpuUsage(cpuBefore);
    if (call < 0) continue;
    handler.push(handled - before);
    cpu.push((used.user + used.system) / 1_000);
    points = 0;
    for (const series of Object.values((reply.data as ServerMetricsView).series)) points += series.length;
  }
  // Separate from the handler, so that its figure does not include the work of this client.
  for (let call = 0; call < CALLS; call++) {
    const before = performance.now();
    const answer = await fetch(`${app.url}${path}`, { headers: { authorization: `Bearer ${app.key}` } });
    const bytes = await answer.arrayBuffer();
    request.push(performance.now() - before);
    if (answer.status !== 200) throw new Error(`${path} responded with status ${answer.status}`);
    kibibytes = bytes.byteLength / 1_024;
  }
  printFigure({
    name: `server metrics: ${name}`,
    value: percentile(handler, 0.5),
    unit: 'ms in the handler',
    limit,
    atMost: true,
    p99_ms: round(percentile(handler, 0.99), 1),
    cpu_ms: round(percentile(cpu, 0.5), 1),
    request_ms: round(percentile(request, 0.5), 1),
    request_p99_ms: round(percentile(request, 0.99), 1),
    points,
    kibibytes: round(kibibytes, 0),
    calls: CALLS,
  });
}
