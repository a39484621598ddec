import { truncateSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { MetricSample__Output } from '../../../proto/generated/picket/link/v1/MetricSample.js';
import { freePort } from '../../helpers/machine/ports.js';
import { temporaryFolder } from '../../helpers/machine/temporary-folder.js';
import { type FakeControlPlane, fakeControlPlane } from '../../helpers/node-link/fake-control-plane.js';
import {
  childrenOf,
  logOf,
  segmentsOf,
  spoolBytes,
  spoolGrows,
  startAgentProcess,
} from '../../helpers/processes/agent-process.js';
import type { NodeProcess } from '../../helpers/processes/node-process.js';
import { waitFor } from '../../helpers/wait.js';

// These tests wait more than they compute, so some of them run at the same time.
t.jobs = 3;
const test = (title: string, run: (t: Test) => Promise<void>) => t.test(title, { buffered: true }, run);

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
const START_MS_MAX = 60_000;

/** Returns a control plane that accepts one join token, and an agent that joined it. */
async function joined(t: Test, setUp: (plane: FakeControlPlane) => void = () => {}) {
  // Not one that the system chooses, which it could give away between the end of a control plane and the next one.
  const plane = await fakeControlPlane({ kind: 'agent', port: await freePort() });
  t.teardown(() => plane.kill());
  plane.script.secrets.add('secret');
  setUp(plane);
  const dataDir = temporaryFolder(t);
  const start = (...args: string[]): NodeProcess => {
    const agent = startAgentProcess(['--data', dataDir, ...args]);
    t.teardown(() => agent.kill('SIGKILL'));
    return agent;
  };
  const agent = start('--join', plane.joinToken('secret'));
  await waitFor('the agent is connected', START_MS_MAX, () => plane.sessions.length > 0).catch((error: Error) => {
    throw new Error(`${error.message}\n${agent.output()}`);
  });
  return { plane, dataDir, start, agent };
}

const inOrder = (plane: FakeControlPlane): MetricSample__Output[] =>
  [...plane.samples.entries()].sort(([a], [b]) => a - b).map(([, sample]) => sample);
const stamps = (plane: FakeControlPlane): number[] => inOrder(plane).map(({ atMs }) => atMs);
const rising = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
const connections = (plane: FakeControlPlane): number => plane.sessions.filter(({ open }) => open).length;

test('an agent joins, sends its inventory, samples in its slots and processes, runs no child, and ends on SIGTERM', async (t) => {
  const { plane, agent } = await joined(t);
  const inventory = await waitFor('an inventory', START_MS_MAX, () => plane.inventories[0]);
  t.match(inventory, { hostname: /./, os: /Linux/, kernel: /^\d+\./, architecture: /./, agentVersion: /^\d+\.\d+/ });
  t.ok(inventory.cpuCores >= 1 && inventory.memoryBytes > 1e8 && inventory.bootedAtMs > 1e12);
  t.ok(inventory.disks.some(({ mount, sizeBytes }) => mount === '/' && sizeBytes > 0));
  t.equal(inventory.sampleIntervalMs, 1_000);

  const children = new Set<string>();
  await waitFor(
    'samples',
    START_MS_MAX,
    () => {
      for (const child of childrenOf(agent.child.pid ?? 0)) children.add(child);
      return plane.samples.size >= 6;
    },
    5,
  );
  t.strictSame([...children], [], 'no child process while it samples');
  const times = stamps(plane);
  t.ok(rising(times));
  t.equal(
    new Set(times.slice(1).map((time) => time % 1_000)).size <= 2,
    true,
    `the same offset in each second: ${times}`,
  );
  const metrics = new Set(
    inOrder(plane)
      .at(-1)
      ?.values.map(({ metric }) => metric),
  );
  for (const metric of [
    'CPU_PERCENT',
    'MEM_USED_PERCENT',
    'DISK_USED_PERCENT',
    'LOAD_1',
    'LOAD_5',
    'LOAD_15',
    'PROCESSES',
    'TCP_CONNECTIONS',
    'UPTIME_SECONDS',
  ]) {
    t.ok(metrics.has(metric as never), metric);
  }

  plane.send({ sampleProcesses: { nonce: 42 } });
  const sample = await waitFor('the processes', START_MS_MAX, () => plane.processes[0]);
  t.equal(sample.nonce, 42);
  t.ok(sample.total > 1 && sample.byCpu.length <= 10 && sample.byMemory.length > 0 && sample.byMemory.length <= 10);
  const sizes = sample.byMemory.map(({ memoryBytes }) => memoryBytes);
  t.strictSame(
    sizes,
    [...sizes].sort((a, b) => b - a),
  );
  t.equal(await agent.kill('SIGTERM'), 0);
  t.match(logOf(agent).at(-1), { msg: 'stopped', undelivered: 0 });
});

test('repeated kill -9 and a truncated spool: the other samples arrive once each, with their own times', async (t) => {
  const { plane, dataDir, start, agent } = await joined(t, ({ script }) => {
    script.acknowledge = false;
    script.store = false;
  });
  await waitFor('some samples are on disk', START_MS_MAX, () => plane.records >= 3);
  await agent.kill('SIGKILL');
  for (const kept of [1, 2, 3]) {
    const sessions = plane.sessions.length;
    const again = start();
    await waitFor('connected again', START_MS_MAX, () => plane.sessions.length > sessions);
    await spoolGrows(dataDir, kept);
    await again.kill('SIGKILL');
  }
  const segment = segmentsOf(dataDir).at(-1) ?? { path: dataDir, bytes: 0 };
  truncateSync(segment.path, segment.bytes - 7);
  plane.script.acknowledge = true;
  plane.script.store = true;
  const startedAt = Date.now();
  const last = start();
  await waitFor('new samples', START_MS_MAX, () => stamps(plane).some((time) => time > startedAt + 2_000));
  await last.kill('SIGTERM');
  const times = stamps(plane);
  t.ok(rising(times), `${times}`);
  t.ok(
    times.filter((time) => time < startedAt).length >= 3,
    'samples taken while the control plane did not acknowledge any',
  );
  t.strictSame(plane.conflicts, []);
  t.match(logOf(last).at(-1), { msg: 'stopped', undelivered: 0 });
});

test('a revoked credential: logged once with the reason, and no samples are taken or stored any more', async (t) => {
  const { plane, dataDir, agent } = await joined(t);
  await waitFor('samples', START_MS_MAX, () => plane.samples.size >= 2);
  plane.script.credentials.clear();
  plane.cut();
  await waitFor('the log line', START_MS_MAX, () => logOf(agent).some(({ msg }) => /credential revoked/.test(msg)));
  const attempts = plane.attempts;
  const before = spoolBytes(dataDir);
  const other = await joined(t);
  await waitFor('samples of another agent', START_MS_MAX, () => other.plane.samples.size >= 4);
  t.equal(spoolBytes(dataDir), before, 'no samples are stored');
  t.equal(plane.attempts, attempts, 'no connection attempts');
  const errors = logOf(agent).filter(({ level }) => level >= 50);
  t.equal(errors.length, 2, `one line from the link, one from the agent: ${errors.map(({ msg }) => msg).join('; ')}`);
  t.equal(await agent.kill('SIGTERM'), 0);
});

test('a second agent with the same credential: it logs the refusal, and its samples wait', async (t) => {
  const { plane, dataDir, agent } = await joined(t);
  await waitFor('samples', START_MS_MAX, () => plane.samples.size >= 1);
  plane.script.refuse = { code: 'duplicate', detail: 'this node is connected from elsewhere' };
  plane.cut();
  await waitFor('refused', START_MS_MAX, () => plane.attempts >= 4);
  const lines = logOf(agent).filter(({ msg }) => /another process is connected with this credential/.test(msg));
  t.equal(lines.length, 1, 'logged once, for many attempts');
  const refusedAt = Date.now();
  await spoolGrows(dataDir, 3);
  const welcomeAt = Date.now();
  plane.script.refuse = null;
  await waitFor('connected', 60_000, () => connections(plane) === 1);
  await waitFor('all samples', START_MS_MAX, () => stamps(plane).some((time) => time > welcomeAt));
  t.ok(stamps(plane).filter((time) => time > refusedAt && time < welcomeAt).length >= 2);
  t.ok(rising(stamps(plane)));
});

test('a clock wrong by a day: samples have the correct time, also after a restart while the control plane is down', async (t) => {
  const { plane, dataDir, start, agent } = await joined(t, ({ script }) => {
    script.clockOffsetMs = -DAY_MS;
  });
  await waitFor('samples', START_MS_MAX, () => plane.samples.size >= 3);
  const off = (time: number) => Math.abs(time - (Date.now() - DAY_MS));
  t.ok(
    stamps(plane).every((time) => off(time) < HOUR_MS),
    'the time of the control plane, not of this machine',
  );
  await agent.kill('SIGTERM');
  const { port, authority } = plane;
  plane.kill();

  const alone = start();
  await waitFor('three samples are on disk', START_MS_MAX, () =>
    segmentsOf(dataDir).some(({ bytes }) => bytes > 1_500),
  );
  const back = await fakeControlPlane({ kind: 'agent', port, authority });
  t.teardown(() => back.kill());
  back.script.clockOffsetMs = -DAY_MS;
  for (const credential of plane.script.credentials) back.script.credentials.add(credential);
  await waitFor('the other samples', 60_000, () => back.samples.size >= 4);
  t.ok(
    stamps(back).every((time) => off(time) < HOUR_MS),
    `${stamps(back).map(off)}`,
  );
  t.ok(rising([...stamps(plane), ...stamps(back)]));
  await alone.kill('SIGTERM');
});

test('an error at the start is one line, with its exit code', async (t) => {
  const ends = async (args: string[], env: Record<string, string> = {}) => {
    const agent = startAgentProcess(args, env);
    return { code: await agent.exited, output: agent.output() };
  };
  const data = temporaryFolder(t);
  t.match(await ends(['--data', data]), { code: 78, output: /^picket-agent: --join is missing.*\n$/ });
  t.match(await ends(['--data', data], { PICKET_AGENT_INTERVAL_SECONDS: '0' }), {
    code: 78,
    output: /^picket-agent: PICKET_AGENT_INTERVAL_SECONDS must be.*\n$/,
  });
  t.match(await ends(['--data', '/etc/hostname/none']), {
    code: 78,
    output: /^picket-agent: --data \(PICKET_DATA_DIR\).*\n$/,
  });
  t.match(await ends(['--version']), { code: 0, output: /^picket-agent \d+\.\d+\.\d+\n$/ });
  t.match(await ends(['--help']), { code: 0, output: /PICKET_AGENT_SPOOL_BYTES/ });
});
