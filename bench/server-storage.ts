// Measures the database size (`storageSize`) of a day of 100 servers, and the CPU time of writing and packing it, with the
// real stores and the real pack job, hour by hour.
//   PICKET_TEST_MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0 node --import tsx bench/server-storage.ts
import type { ServerIdentity } from '../control-plane/servers/servers.js';
import { testDatabase } from '../test/helpers/database.js';
import { buildServer, buildServerHistory } from '../test/helpers/servers/history.js';
import { percentile, printFigure, round } from './fixtures/figures.js';
import { cpuSeconds, pidOnPort } from './fixtures/processes.js';
import { samplesOf, serverWalk } from './fixtures/server-walk.js';

const HOUR_MS = 3_600_000;
const SERVERS = 100;
const HOURS = 24;
const START = Date.UTC(2031, 0, 31);

const database = await testDatabase();
const history = await buildServerHistory(database);
const mongod = await pidOnPort('mongod', database.client.options.hosts[0]?.port ?? 0);
const fleet: { server: ServerIdentity; walk: () => Record<string, number> }[] = [];
for (let index = 0; index < SERVERS; index++) {
  fleet.push({ server: await history.insertServer(buildServer({ workspace_id: 'ws_bench' })), walk: serverWalk() });
}

let samples = 0;
const [inserting, packing] = [meter(), meter()];
const passes: number[] = [];
const job = history.newPackJob('bench');
for (let hour = 0; hour < HOURS; hour++) {
  const hourMs = START + hour * HOUR_MS;
  const hourSamples = fleet.map(({ server, walk }) => samplesOf(server, walk, hourMs, hourMs + HOUR_MS));
  await inserting.run(async () => {
    for (let at = 0; at < (hourSamples[0]?.length ?? 0); at++) {
      const batch = hourSamples.flatMap((ofServer) => ofServer[at] ?? []);
      await history.samples.insert(batch);
      samples += batch.length;
    }
  });
  const started = performance.now();
  await packing.run(() => job.runOnce(hourMs + HOUR_MS + HOUR_MS / 2));
  passes.push(performance.now() - started);
}
await job.stop();
// A checkpoint, because `storageSize` only changes at checkpoints.
await database.client.db('admin').command({ fsync: 1 });

const sizes: Record<string, number> = {};
for (const name of ['server_metrics', 'server_metrics_1m', 'server_metrics_1h', 'server_reports']) {
  const stats = await database.db.command({ collStats: name });
  sizes[name] = stats['storageSize'] / samples;
  sizes[`${name} indexes`] = stats['totalIndexSize'] / samples;
}
const kept = Object.entries(sizes).reduce((sum, [, bytes]) => sum + bytes, 0);
printFigure({
  name: 'server storage: a stored sample of 8 metrics, raw',
  value: (sizes['server_metrics'] ?? 0) + (sizes['server_metrics indexes'] ?? 0),
  unit: 'bytes',
  limit: 40,
  atMost: true,
  samples,
});
printFigure({
  name: 'server storage: with minutes, hours, unpacked samples and indexes',
  value: kept,
  unit: 'bytes',
  limit: 40,
  atMost: true,
  parts: Object.fromEntries(Object.entries(sizes).map(([name, bytes]) => [name, round(bytes, 2)])),
});
printFigure({
  name: 'server samples: written and packed',
  value: (1_000 * (inserting.seconds() + packing.seconds())) / samples,
  unit: 'CPU-seconds per 1,000 samples',
  limit: 1,
  atMost: true,
  inserting: inserting.per1000(),
  packing: packing.per1000(),
  ms_per_packed_hour: round(percentile(passes, 0.5) / SERVERS, 1),
});
await database.drop();

/** Returns a meter for the CPU time of this process and of mongod during `run`. */
function meter() {
  const spent = { control_plane: 0, mongod: 0 };
  return {
    async run(work: () => Promise<unknown>) {
      const [before, mongodBefore] = [process.cpuUsage(), await cpuSeconds(mongod)];
      await work();
      const used = process.cpuUsage(before);
      spent.control_plane += (used.user + used.system) / 1e6;
      spent.mongod += (await cpuSeconds(mongod)) - mongodBefore;
    },
    seconds: () => spent.control_plane + spent.mongod,
    per1000: () => ({
      control_plane: round((1_000 * spent.control_plane) / samples),
      mongod: round((1_000 * spent.mongod) / samples),
    }),
  };
}
