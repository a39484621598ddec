// Measures 2,000 agents that each send one sample each ten seconds to one control plane.
import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startProduct } from '../test/helpers/processes/product.js';
import { printFigure, round } from './fixtures/figures.js';
import { cpuMeter, rssMib } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

const AGENTS = benchSetting('AGENTS', 2_000);
const WARM_UP_MS = 30_000;
const WINDOW_MS = 120_000;
/** The time after the window in which the last samples are acknowledged. */
const SETTLE_MS = 3_000;
const FLEET = fileURLToPath(new URL('./fixtures/agent-fleet.ts', import.meta.url));

interface Counts {
  sent: number;
  acknowledged: number;
  refused: number;
  ended: number;
  p50_ms: number;
  p99_ms: number;
  samples: number;
}

const product = await startProduct({ PICKET_LOCATIONS: '' });
const fleet: ChildProcess = spawn(process.execPath, ['--import', 'tsx', FLEET], {
  stdio: ['pipe', 'pipe', 'inherit'],
});
try {
  const request = await startFleet();
  await sleep(WARM_UP_MS);
  const pids = { 'control plane': await product.pid('control-plane'), mongod: await product.pid('mongod') };
  await request('reset');
  const meter = await cpuMeter(pids);
  const started = performance.now();
  await sleep(WINDOW_MS);
  const cpu = await meter.read();
  const seconds = (performance.now() - started) / 1_000;
  const window = await request('stop');
  await sleep(SETTLE_MS);
  const end = await request('counts');
  const { stored, online } = await readStored();

  const total = Object.values(cpu).reduce((sum, value) => sum + value, 0);
  const parts = Object.fromEntries(Object.entries(cpu).map(([name, value]) => [name, round(value / seconds)]));
  printFigure({
    name: 'agents: cores used in all',
    value: total / seconds,
    unit: 'cores',
    limit: 1,
    atMost: true,
    parts,
    agents: AGENTS,
    interval_seconds: 10,
    seconds: round(seconds, 1),
  });
  printFigure({
    name: 'agents: acknowledgement p99',
    value: window.p99_ms,
    unit: 'ms',
    limit: 1_000,
    atMost: true,
    p50_ms: round(window.p50_ms, 1),
    reports: window.samples,
  });
  printFigure({
    name: 'agents: samples lost',
    value: end.sent - stored + end.refused,
    unit: 'samples',
    limit: 0,
    atMost: true,
    sent: end.sent,
    acknowledged: end.acknowledged,
    stored,
    streams_ended: end.ended,
    online,
  });
  printFigure({
    name: 'agents: control plane memory',
    value: await rssMib(pids['control plane']),
    unit: 'MiB',
    limit: 600,
    atMost: true,
  });
} finally {
  fleet.kill();
  await product.remove();
}

/** Resolves when all agents are connected, to a function that sends a command and returns their counts. */
async function startFleet(): Promise<(command: string) => Promise<Counts>> {
  const { stdin, stdout } = fleet;
  if (stdin === null || stdout === null) throw new Error('the fleet has no pipes');
  const answers = createInterface({ input: stdout })[Symbol.asyncIterator]();
  for (let made = 0; made < AGENTS; made++) {
    const answer = await product.api('POST', '/v1/servers/join-tokens');
    if (answer.status !== 201) throw new Error(`no join token: ${answer.status} ${JSON.stringify(answer.body)}`);
    stdin.write(`${answer.body.data.token}\n`);
  }
  stdin.write('\n');
  await answers.next();
  return async (command) => {
    stdin.write(`${command}\n`);
    return JSON.parse((await answers.next()).value);
  };
}

/** Returns from the API how many servers are online, and how many samples of all servers are stored. */
async function readStored(): Promise<{ stored: number; online: number }> {
  const servers: { id: string; status: string }[] = [];
  for (let cursor: string | null = ''; cursor !== null; ) {
    const { body } = await product.api('GET', `/v1/servers?limit=200${cursor === '' ? '' : `&cursor=${cursor}`}`);
    servers.push(...body.data);
    cursor = body.next_cursor;
  }
  let stored = 0;
  for (const { id } of servers) {
    const history = await product.api('GET', `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw`);
    stored += history.body.data.series.load_1.length;
  }
  return { stored, online: servers.filter(({ status }) => status === 'online').length };
}
