import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { Client } from 'undici';
import { queryName } from '../control-plane/blacklist/lookup/query-names.js';
import { systemClock } from '../kernel/clock.js';
import { createDnsClient } from '../kernel/dns/dns-client.js';
import { monitorOf } from '../test/helpers/blacklist/documents.js';
import { testDatabase } from '../test/helpers/database.js';
import { startRbldnsd } from '../test/helpers/machine/rbldnsd.js';
import { startControlPlane } from '../test/helpers/processes/control-plane.js';
import { waitFor } from '../test/helpers/wait.js';
import { percentile, printFigure } from './fixtures/figures.js';
import { benchSetting } from './fixtures/settings.js';

/** Measures the time that an instant check adds to its slowest list, the cost of hourly monitors, and the lookup rate. */
const CHECKS = benchSetting('CHECKS', 50);
const MONITORS = benchSetting('MONITORS', 1_000);
/** The monitors of one hour become due within this time. */
const RUN_SECONDS = benchSetting('SECONDS', 60);
const LOOKUP_SECONDS = benchSetting('LOOKUP_SECONDS', 15);
const IN_FLIGHT = benchSetting('IN_FLIGHT', 50);
const HOUR_S = 3_600;
/** The delays of the lists. Each list has its own, the same for all queries. */
const DELAY_MS = { min: 15, max: 250 };
const LISTED_EACH = 100;
const SLOW_LISTS = fileURLToPath(new URL('fixtures/slow-lists.ts', import.meta.url));

const lists = await startRbldnsd();
try {
  await instantFigures();
  await monitorFigures();
  await lookUpFigures();
} finally {
  await lists.stop();
}

async function instantFigures(): Promise<void> {
  const mongo = await testDatabase();
  const args = [DELAY_MS.min, DELAY_MS.max, ...lists.zones].map(String);
  const far = fork(SLOW_LISTS, args, { execArgv: ['--import=tsx'] });
  const [port] = await once(far, 'message');
  const controlPlane = await startControlPlane(mongo.uri, { PICKET_DNS_SERVERS: `127.0.0.1:${port}` });
  const client = new Client(controlPlane.url);
  const headers = { authorization: `Bearer ${controlPlane.apiKey}`, 'content-type': 'application/json' };
  const post = { method: 'POST' as const, path: '/api/v1/blacklist/instant-check', headers };
  const added: number[] = [];
  const took: number[] = [];
  try {
    for (let check = -5; check < CHECKS; check++) {
      const before = performance.now();
      const target = address(check + 5);
      const answer = await client.request({ ...post, body: JSON.stringify({ target }) });
      const text = await answer.body.text();
      const wholeMs = performance.now() - before;
      const { data } = JSON.parse(text);
      if (answer.statusCode !== 200 || data.responding !== data.asked) throw new Error(text);
      const slowest = Math.max(...data.results.map((row: { response_time_ms: number }) => row.response_time_ms));
      if (check < 0) continue;
      added.push(wholeMs - slowest);
      took.push(wholeMs);
    }
  } finally {
    await client.close();
    await controlPlane.remove();
    far.disconnect();
    await mongo.drop();
  }
  const about = {
    checks: CHECKS,
    p95_ms: percentile(added, 0.95),
    max_ms: percentile(added, 1),
    whole_p50_ms: percentile(took, 0.5),
  };
  const name = 'blacklist: instant check, time beyond its slowest list, p50';
  printFigure({ name, value: percentile(added, 0.5), unit: 'ms', limit: 10, atMost: true, ...about });
}

/** Measures the CPU time of one hour of checks, including the database, minus the CPU time when no check is due. */
async function monitorFigures(): Promise<void> {
  const mongo = await testDatabase();
  for (let index = 0; index < MONITORS; index += LISTED_EACH) lists.list('bl.spamcop.net', address(index));
  await lists.reloaded();
  const controlPlane = await startControlPlane(mongo.uri, { PICKET_DNS_SERVERS: lists.server });
  const monitors = mongo.db.collection<{ _id: string }>('blacklist_monitors');
  const cpuSeconds = async () => {
    const text = await (await fetch(`${controlPlane.url}/metrics`)).text();
    const { extra_info: info } = await mongo.db.command({ serverStatus: 1 });
    return {
      control_plane: Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]),
      mongod: (Number(info.user_time_us) + Number(info.system_time_us)) / 1e6,
    };
  };
  const during = async (work: () => Promise<unknown>) => {
    const before = await cpuSeconds();
    await work();
    const after = await cpuSeconds();
    return { control_plane: after.control_plane - before.control_plane, mongod: after.mongod - before.mongod };
  };
  try {
    await systemClock.sleep(15_000);
    const idle = await during(() => systemClock.sleep(RUN_SECONDS * 1_000));
    const { workspace } = (await controlPlane.api('GET', '/v1/auth/me')).body.data;
    const now = Date.now();
    const documents = Array.from({ length: MONITORS }, (_, index) =>
      monitorOf({
        ...{ workspace_id: workspace.id, target: address(index), type: 'ip', frequency: 'hourly' },
        next_at_ms: now + Math.floor((index * RUN_SECONDS * 1_000) / MONITORS),
      }),
    );
    await monitors.insertMany(documents);
    const busy = await during(async () => {
      await systemClock.sleep(RUN_SECONDS * 1_000);
      await waitFor('every monitor checked', 60_000, async () => {
        return (await monitors.countDocuments({ checks: { $gt: 0 } } as never)) === MONITORS;
      });
    });
    const cost = { control_plane: busy.control_plane - idle.control_plane, mongod: busy.mongod - idle.mongod };
    const listed = await monitors.countDocuments({ 'listings.policy': false } as never);
    const value = ((cost.control_plane + cost.mongod) / HOUR_S) * 100;
    const about = { monitors: MONITORS, listed, cpu_seconds: cost, idle_cpu_seconds: idle, run_seconds: RUN_SECONDS };
    const name = 'blacklist: monitors each hour, part of a core, database included';
    printFigure({ name, value, unit: '%', limit: 2, atMost: true, ...about });
  } finally {
    await controlPlane.remove();
    await mongo.drop();
  }
}

async function lookUpFigures(): Promise<void> {
  const dns = createDnsClient({ servers: [lists.server], clock: systemClock });
  const kinds = { addresses: 0, none: 0, failed: 0, timeout: 0 };
  const until = performance.now() + LOOKUP_SECONDS * 1_000;
  const [cpuBefore, began] = [process.cpuUsage(), performance.now()];
  let next = 0;
  const worker = async () => {
    while (performance.now() < until) {
      const zone = lists.zones[next % lists.zones.length] ?? '';
      const name = queryName(address(next++), zone);
      if (name !== null) kinds[(await dns.resolve4(name)).kind]++;
    }
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, worker));
  const seconds = (performance.now() - began) / 1_000;
  const { user, system } = process.cpuUsage(cpuBefore);
  const about = { in_flight: IN_FLIGHT, seconds, ...kinds, cpu_cores: (user + system) / 1e6 / seconds };
  const answered = kinds.addresses + kinds.none;
  printFigure({
    name: 'blacklist: look-ups',
    value: answered / seconds,
    unit: '/s',
    limit: 20_000,
    atMost: false,
    ...about,
  });
}

/** Returns a different public address for each index. */
function address(index: number): string {
  return `198.100.${(index >> 8) & 255}.${index & 255}`;
}
