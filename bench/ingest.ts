// Measures how fast results are stored: the control plane's own code from the encoded record to the majority write, with
// 10,000 monitors and the load of five probe streams. Prints one line of JSON.
//   PICKET_TEST_MONGODB_URI=mongodb://127.0.0.1:27017/?replicaSet=rs0 node --import tsx bench/ingest.ts [seconds] [results/s]
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '../kernel/clock.js';
import { testDatabase } from '../test/helpers/database.js';
import { buildHistory, buildMonitor, checkResult, codec } from '../test/helpers/results/history.js';
import { percentile, round } from './fixtures/figures.js';
import { cpuSeconds } from './fixtures/processes.js';

const SECONDS = Number(process.argv[2] ?? 60);
const RESULTS_PER_SECOND = Number(process.argv[3] ?? 5_000);
const MONITORS = 10_000;
const LOCATIONS = ['fra', 'nyc', 'sin', 'lon', 'sfo'];
const BATCH_RESULTS = 100;
const BATCHES_IN_FLIGHT = 8;
const FAILING_SHARE = 0.01;
const MINUTE_MS = 60_000;

const database = await testDatabase();
const history = await buildHistory(database, { evaluate: async () => undefined });
const monitors = Array.from({ length: MONITORS }, () =>
  buildMonitor({ locations: LOCATIONS, created_at_ms: Date.now() }),
);
for (let at = 0; at < MONITORS; at += 1_000) await history.insertMonitors(...monitors.slice(at, at + 1_000));

const mongodPid = await processOf('mongod');
const latencies: number[] = [];
let acknowledged = 0;
let refused = 0;
let encodeSeconds = 0;

/** How far the slots are ahead of the clock: the second phase simulates the next minute without waiting for it. */
let aheadMs = 0;

/** Returns the records of one batch, for the next hundred monitors. */
function batchOf(location: string, number: number) {
  const started = process.cpuUsage();
  const slotMs = Date.now() + aheadMs;
  const records = Array.from({ length: BATCH_RESULTS }, (_, index) => {
    const monitor = monitors[(number * BATCH_RESULTS + index) % MONITORS];
    const isFailing = Math.random() < FAILING_SHARE;
    const fields = {
      monitorId: monitor?._id ?? '',
      slotMs: slotMs + (number % 7),
      responseTimeMs: 20 + Math.random() * 200,
    };
    const result = checkResult({ ...fields, checkedAtMs: slotMs + 8 }, isFailing ? 'connection_refused' : null);
    return { seq: number * BATCH_RESULTS + index, bytes: codec.encode(result) };
  });
  // Encoding is the work of the probe, so it is subtracted below.
  const used = process.cpuUsage(started);
  encodeSeconds += (used.user + used.system) / 1e6;
  return { node: { nodeId: `prb_${location}`, kind: 'probe' as const, location }, records };
}

/** Simulates the stream of one probe: its share of the rate, with a limited number of unacknowledged batches. */
async function probe(location: string, offset: number, untilMs: number): Promise<void> {
  const periodMs = (BATCH_RESULTS * LOCATIONS.length * 1_000) / RESULTS_PER_SECOND;
  const inFlight = new Set<Promise<void>>();
  let dueMs = performance.now() + (periodMs / LOCATIONS.length) * offset;
  for (let number = 0; performance.now() < untilMs; number++) {
    if (dueMs > performance.now()) await sleep(dueMs - performance.now());
    dueMs += periodMs;
    while (inFlight.size >= BATCHES_IN_FLIGHT) await Promise.race(inFlight);
    const { node, records } = batchOf(location, number);
    const started = performance.now();
    const done: Promise<void> = history.record.accept(node, records, Date.now() + aheadMs).then((rejections) => {
      latencies.push(performance.now() - started);
      acknowledged += records.length - rejections.length;
      refused += rejections.length;
      inFlight.delete(done);
    });
    inFlight.add(done);
  }
  await Promise.all(inFlight);
}

async function processOf(name: string): Promise<number | null> {
  for (const entry of await readdir('/proc')) {
    if (!/^\d+$/.test(entry)) continue;
    const comm = await readFile(`/proc/${entry}/comm`, 'utf8').catch(() => '');
    const args = await readFile(`/proc/${entry}/cmdline`, 'utf8').catch(() => '');
    if (comm.trim() === name && args.includes(database.client.options.hosts[0]?.port?.toString() ?? ''))
      return Number(entry);
  }
  return null;
}

const mongodBefore = mongodPid === null ? 0 : await cpuSeconds(mongodPid);
const cpuBefore = process.cpuUsage();
const startedMs = performance.now();
await Promise.all(LOCATIONS.map((location, index) => probe(location, index, startedMs + SECONDS * 1_000)));
const seconds = (performance.now() - startedMs) / 1_000;
const cpu = process.cpuUsage(cpuBefore);
const nodeSeconds = (cpu.user + cpu.system) / 1e6 - encodeSeconds;
const mongodSeconds = mongodPid === null ? Number.NaN : (await cpuSeconds(mongodPid)) - mongodBefore;

/** Measures one run of the roll-up. */
async function rollUp(ahead: number) {
  const clock = { ...systemClock, now: () => Date.now() + ahead };
  const before = [process.cpuUsage(), mongodPid === null ? 0 : await cpuSeconds(mongodPid)] as const;
  const totals = await history.newRollupJob('bench', { clock }).runOnce();
  const used = process.cpuUsage(before[0]);
  const mongod = mongodPid === null ? Number.NaN : (await cpuSeconds(mongodPid)) - before[1];
  return { ...totals, cpu_seconds: round((used.user + used.system) / 1e6, 2), mongod_cpu_seconds: round(mongod, 2) };
}

const firstPass = await rollUp(0);
// The first phase had the results of many minutes in one minute. They must not be part of the measured minute.
await rollUp(MINUTE_MS);
aheadMs = 2 * MINUTE_MS;
const [ingested, ingestLatencies] = [acknowledged, [...latencies]];
const minuteSeconds = (MONITORS * LOCATIONS.length) / RESULTS_PER_SECOND;
await Promise.all(
  LOCATIONS.map((location, index) => probe(location, index, performance.now() + minuteSeconds * 1_000)),
);
const minutePass = await rollUp(2 * MINUTE_MS + 30_000);

console.log(
  JSON.stringify({
    name: 'ingest',
    results_per_second: Math.round(ingested / seconds),
    at_least: RESULTS_PER_SECOND,
    ok: ingested / seconds >= RESULTS_PER_SECOND * 0.99 && refused === 0,
    seconds: round(seconds, 1),
    acknowledged: ingested,
    refused,
    acknowledged_p50_ms: round(percentile(ingestLatencies, 0.5), 1),
    acknowledged_p99_ms: round(percentile(ingestLatencies, 0.99), 1),
    cpu_seconds_per_1000: {
      control_plane: round((nodeSeconds / ingested) * 1_000),
      mongod: round((mongodSeconds / ingested) * 1_000),
    },
    rollup_first_pass: firstPass,
    rollup_minute: minutePass,
    rss_mib: Math.round(process.memoryUsage().rss / 2 ** 20),
  }),
);
await database.drop();
