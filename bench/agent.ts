import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../test/helpers/machine/ports.js';
import { startProduct } from '../test/helpers/processes/product.js';
import { waitFor } from '../test/helpers/wait.js';
import { printFigure, round } from './fixtures/figures.js';
import { rssMib } from './fixtures/processes.js';
import { benchSetting } from './fixtures/settings.js';

/**
 * Measures the cost of an agent on its server, with one sample each 10 s, delivered to a real control plane. Compares it
 * with prometheus-node-exporter, scraped each 10 s at the same time. The agent is the package that the install script
 * downloads.
 */
const EXPORTER = 'prometheus-node-exporter';
const PERIOD_MS = 10_000;
/** In its first minute, Node.js compiles code and collects garbage for the first time, but an agent runs for months. */
const WARM_UP_MS = 60_000;
const PERIODS = benchSetting('PERIODS', 12);

const children: ChildProcess[] = [];
const directory = mkdtempSync(join(tmpdir(), 'picket-bench-'));
const product = await startProduct({ PICKET_LOCATIONS: '' });
try {
  await main();
} finally {
  for (const child of children) child.kill();
  await product.remove();
  rmSync(directory, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const { status, body } = await product.api('POST', '/v1/servers/join-tokens', {});
  if (status !== 201) throw new Error(`join-tokens responded with status ${status}: ${JSON.stringify(body)}`);
  const agent = start(process.execPath, [unpackAgent(), '--join', body.data.token, '--data', join(directory, 'data')]);
  const port = await freePort();
  const exporter = start(EXPORTER, [`--web.listen-address=127.0.0.1:${port}`, '--log.level=error']);
  const metrics = `http://127.0.0.1:${port}/metrics`;
  await waitFor('the exporter', 10_000, async () => (await fetch(metrics)).ok);
  const server = await waitFor('the server', 30_000, async () => {
    const list = (await product.api('GET', '/v1/servers')).body.data;
    return list[0]?.status === 'online' ? list[0] : null;
  });

  const scrape = async () => (await (await fetch(metrics)).text()).length;
  for (let elapsed = 0; elapsed < WARM_UP_MS; elapsed += PERIOD_MS) {
    await sleep(PERIOD_MS);
    await scrape();
  }
  const meters = { agent: meterOf(agent), exporter: meterOf(exporter) };
  const started = performance.now();
  for (let period = 0; period < PERIODS; period++) {
    await sleep(PERIOD_MS);
    await scrape();
    for (const meter of Object.values(meters)) await meter.note();
  }
  const seconds = (performance.now() - started) / 1000;
  const ours = meters.agent.read();
  const theirs = meters.exporter.read();
  const to = new Date().toISOString();
  const from = new Date(Date.now() - seconds * 1000).toISOString();
  const query = `metrics=cpu_percent&from=${from}&to=${to}&resolution=raw`;
  const stored = (await product.api('GET', `/v1/servers/${server.id}/metrics?${query}`)).body;
  const conditions = { compared_to: EXPORTER, interval_seconds: PERIOD_MS / 1000, seconds: round(seconds, 1) };
  printFigure({
    name: 'agent: CPU, of one core',
    value: (100 * ours.cpuSeconds) / seconds,
    unit: '%',
    limit: 0.1,
    atMost: true,
    node_exporter: round((100 * theirs.cpuSeconds) / seconds),
    ...conditions,
    reports_stored: JSON.stringify(stored).match(/"t":/g)?.length ?? 0,
  });
  printFigure({
    name: 'agent: resident memory',
    value: ours.rssMib,
    unit: 'MiB',
    limit: 60,
    atMost: true,
    node_exporter: round(theirs.rssMib),
    ...conditions,
    figure_of: 'the maximum of one measurement each 10 s, for both',
  });
}

function unpackAgent(): string {
  const { version } = JSON.parse(readFileSync('package.json', 'utf8'));
  const name = `picket-agent-${version}`;
  execFileSync('tar', ['-xzf', join('build', 'packages', `${name}.tar.gz`), '-C', directory]);
  return join(directory, name, 'picket-agent.cjs');
}

function start(command: string, args: string[]): number {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], PICKET_LOG_LEVEL: 'warn' },
    // Ignores the exporter's messages about missing collectors.
    stdio: ['ignore', 'inherit', command === EXPORTER ? 'ignore' : 'inherit'],
  });
  children.push(child);
  if (child.pid === undefined) throw new Error(`${command} did not start`);
  return child.pid;
}

function meterOf(pid: number): { note(): Promise<void>; read(): { cpuSeconds: number; rssMib: number } } {
  const before = cpuSecondsOfThreads(pid);
  let largest = 0;
  return {
    async note() {
      largest = Math.max(largest, await rssMib(pid));
    },
    read: () => ({ cpuSeconds: cpuSecondsOfThreads(pid) - before, rssMib: largest }),
  };
}

/** Returns the CPU time of all threads, in nanosecond precision: /proc/<pid>/stat only has ticks of 10 ms. */
function cpuSecondsOfThreads(pid: number): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((id) =>
    Number(readFileSync(`/proc/${pid}/task/${id}/schedstat`, 'utf8').split(' ')[0]),
  );
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e9;
}
