// Measures what 200 open dashboards cost the control plane and the database, and how long a change takes to all of them.
//   node --import tsx scripts/with-mongod.ts node --import tsx bench/pages/live.ts
import { testDatabase } from '../../test/helpers/database.js';
import { openEvents } from '../../test/helpers/live/event-client.js';
import { recordedChanges } from '../../test/helpers/live/record-changes.js';
import { startControlPlane } from '../../test/helpers/processes/control-plane.js';
import { storePerson, storeWorkspace } from '../../test/helpers/team/people.js';
import { percentile, printFigure, round } from '../fixtures/figures.js';
import { benchSetting } from '../fixtures/settings.js';

const CLIENTS = benchSetting('CLIENTS', 200);
/** As many as a workspace with 10,000 monitors has in a bad hour. */
const CHANGES_PER_SECOND = benchSetting('CHANGES_PER_SECOND', 2);
const WINDOW_MS = benchSetting('WINDOW_MS', 60_000);
const CORE_PERCENT_MAX = 10;
const SEEN_MS_MAX = 2_000;

const mongo = await testDatabase();
const plane = await startControlPlane(mongo.uri);
try {
  const workspaceId = await storeWorkspace(mongo);
  const idle = await cpuPercent(async () => sleep(WINDOW_MS / 2));
  const people = await Promise.all(Array.from({ length: CLIENTS }, () => storePerson(mongo, workspaceId, 'viewer')));
  const clients = await Promise.all(people.map(({ cookie }) => openEvents(plane.url, cookie)));
  await Promise.all(clients.map((client) => client.next(({ type }) => type === 'ready')));
  const changes = recordedChanges(mongo);
  const delays: number[] = [];
  const open = await cpuPercent(async () => {
    for (let count = 0; count < (CHANGES_PER_SECOND * WINDOW_MS) / 1_000; count++) {
      const name = `m${count}`;
      await changes.down(workspaceId, name);
      const committedMs = performance.now();
      const seen = clients.map(async (client) => {
        await client.next(({ data }) => data.name === name);
        delays.push(performance.now() - committedMs);
      });
      await Promise.all([...seen, sleep(1_000 / CHANGES_PER_SECOND)]);
    }
  });
  printFigure({
    ...{ name: `live: CPU of ${CLIENTS} open dashboards`, value: open.all - idle.all, unit: '% of a core' },
    ...{ limit: CORE_PERCENT_MAX, atMost: true },
    ...{
      control_plane: round(open.plane - idle.plane),
      mongod: round(open.mongod - idle.mongod),
      changes_per_second: CHANGES_PER_SECOND,
    },
  });
  printFigure({
    ...{ name: 'live: from the commit to a dashboard p99', value: percentile(delays, 0.99), unit: 'ms' },
    ...{ limit: SEEN_MS_MAX, atMost: true, p50_ms: round(percentile(delays, 0.5)), clients: CLIENTS },
  });
  for (const client of clients) client.close();
} finally {
  await plane.remove();
  await mongo.drop();
}

/** Returns how much of a core the control plane and the database used during the work, in percent. */
async function cpuPercent(work: () => Promise<unknown>) {
  const read = async () => {
    const text = await (await fetch(`${plane.url}/metrics`)).text();
    const { extra_info: info } = await mongo.db.command({ serverStatus: 1 });
    return {
      plane: Number(/^process_cpu_seconds_total (\S+)/m.exec(text)?.[1]),
      mongod: (Number(info.user_time_us) + Number(info.system_time_us)) / 1e6,
    };
  };
  const [before, startedMs] = [await read(), performance.now()];
  await work();
  const [after, tookMs] = [await read(), performance.now() - startedMs];
  const percent = (seconds: number) => (100_000 * seconds) / tookMs;
  const [used, stored] = [percent(after.plane - before.plane), percent(after.mongod - before.mongod)];
  return { plane: used, mongod: stored, all: used + stored };
}

function sleep(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
