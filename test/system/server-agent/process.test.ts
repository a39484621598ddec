import { truncateSync } from 'node:fs';
import t, { type Test } from 'tap';
import type { MetricReport__Output } from '../../../proto/generated/picket/link/v1/MetricReport.js';
import { type FakeControlPlane, fakeControlPlane } from '../../helpers/node-link/fake-control-plane.js';
import { childrenOf, logOf, segmentsOf, startAgentProcess } from '../../helpers/processes/agent-process.js';
import { type ProbeProcess, temporaryFolder } from '../../helpers/processes/probe-process.js';
import { waitFor } from '../../helpers/wait.js';

const DAY_MS = 86_400_000;
const START_MS_MAX = 20_000;

/** A control plane that knows one join token, and an agent that joined it. */
async function joined(t: Test, setUp: (plane: FakeControlPlane) => void = () => {}) {
  const plane = await fakeControlPlane({ kind: 'agent' });
  t.teardown(() => plane.kill());
  plane.script.secrets.add('secret');
  setUp(plane);
  const dataDir = temporaryFolder(t);
  const start = (...args: string[]): ProbeProcess => {
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

const inOrder = (plane: FakeControlPlane): MetricReport__Output[] =>
  [...plane.reports.entries()].sort(([a], [b]) => a - b).map(([, report]) => report);
const stamps = (plane: FakeControlPlane): number[] => inOrder(plane).map(({ atMs }) => atMs);
const rising = (numbers: readonly number[]): boolean =>
  numbers.every((number, at) => at === 0 || number > (numbers[at - 1] ?? 0));
const connections = (plane: FakeControlPlane): number => plane.sessions.filter(({ open }) => open).length;

t.test(
  'joins, says what it runs on, reports at its slots, answers for processes, starts none, ends on SIGTERM',
  async (t) => {
    const { plane, agent } = await joined(t);
    const inventory = await waitFor('an inventory', START_MS_MAX, () => plane.inventories[0]);
    t.match(inventory, { hostname: /./, os: /Linux/, kernel: /^\d+\./, architecture: /./, agentVersion: /^\d+\.\d+/ });
    t.ok(inventory.cpuCores >= 1 && inventory.memoryBytes > 1e8 && inventory.bootedAtMs > 1e12);
    t.ok(inventory.disks.some(({ mount, sizeBytes }) => mount === '/' && sizeBytes > 0));
    t.equal(inventory.reportIntervalMs, 1_000);

    // What runs TypeScript in a test is a child, too.
    const usual = new Set(childrenOf(agent.child.pid ?? 0));
    const children = new Set<string>();
    await waitFor(
      'reports',
      30_000,
      () => {
        for (const child of childrenOf(agent.child.pid ?? 0)) if (!usual.has(child)) children.add(child);
        return plane.reports.size >= 6;
      },
      5,
    );
    t.strictSame([...children], [], 'no child process while it samples');
    const times = stamps(plane);
    t.ok(rising(times));
    t.equal(new Set(times.slice(1).map((time) => time % 1_000)).size <= 2, true, `one place in the second: ${times}`);
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
    const sample = await waitFor('the processes', 10_000, () => plane.processes[0]);
    t.equal(sample.nonce, 42);
    t.ok(sample.total > 1 && sample.byCpu.length <= 10 && sample.byMemory.length > 0 && sample.byMemory.length <= 10);
    const sizes = sample.byMemory.map(({ memoryBytes }) => memoryBytes);
    t.strictSame(
      sizes,
      [...sizes].sort((a, b) => b - a),
    );
    const before = performance.now();
    t.equal(await agent.kill('SIGTERM'), 0);
    t.ok(performance.now() - before < 10_000);
    t.match(logOf(agent).at(-1), { msg: 'stopped', undelivered: 0 });
  },
);

t.test(
  'kill -9 again and again and a spool that was cut short: the rest comes with its own times, each once',
  async (t) => {
    const { plane, dataDir, start, agent } = await joined(t, ({ script }) => {
      script.acknowledge = false;
      script.store = false;
    });
    await waitFor('some are on disk', START_MS_MAX, () => plane.records >= 3);
    await agent.kill('SIGKILL');
    for (const uptimeMs of [2_000, 2_700, 3_100]) {
      const sessions = plane.sessions.length;
      const again = start();
      await waitFor('connected again', START_MS_MAX, () => plane.sessions.length > sessions);
      await new Promise((resolve) => setTimeout(resolve, uptimeMs));
      await again.kill('SIGKILL');
    }
    const segment = segmentsOf(dataDir).at(-1) ?? { path: dataDir, bytes: 0 };
    truncateSync(segment.path, segment.bytes - 7);
    plane.script.acknowledge = true;
    plane.script.store = true;
    const startedAt = Date.now();
    const last = start();
    await waitFor('new reports', START_MS_MAX, () => stamps(plane).some((time) => time > startedAt + 2_000));
    await last.kill('SIGTERM');
    const times = stamps(plane);
    t.ok(rising(times), `${times}`);
    t.ok(times.filter((time) => time < startedAt).length >= 3, 'what was read while nobody took it');
    t.strictSame(plane.conflicts, []);
    t.match(logOf(last).at(-1), { msg: 'stopped', undelivered: 0 });
  },
);

t.test('a revoked credential: said once and why, and nothing is read or kept any more', async (t) => {
  const { plane, dataDir, agent } = await joined(t);
  await waitFor('reports', START_MS_MAX, () => plane.reports.size >= 2);
  plane.script.credentials.clear();
  plane.cut();
  await waitFor('that it is told', START_MS_MAX, () => logOf(agent).some(({ msg }) => /credential revoked/.test(msg)));
  const attempts = plane.attempts;
  const bytes = () => segmentsOf(dataDir).reduce((sum, segment) => sum + segment.bytes, 0);
  const before = bytes();
  await new Promise((resolve) => setTimeout(resolve, 5_000));
  t.equal(bytes(), before, 'nothing is kept');
  t.equal(plane.attempts, attempts, 'and nobody is asked');
  const errors = logOf(agent).filter(({ level }) => level >= 50);
  t.equal(errors.length, 2, `one line of the link, one of the agent: ${errors.map(({ msg }) => msg).join('; ')}`);
  t.equal(await agent.kill('SIGTERM'), 0);
});

t.test('a second agent with the same credential: it is told, it says so, and what it reads waits', async (t) => {
  const { plane, agent } = await joined(t);
  await waitFor('reports', START_MS_MAX, () => plane.reports.size >= 1);
  plane.script.refuse = { code: 'duplicate', detail: 'this node is connected from elsewhere' };
  plane.cut();
  await waitFor('refused', START_MS_MAX, () => plane.attempts >= 4);
  const lines = logOf(agent).filter(({ msg }) => /another process is connected with this credential/.test(msg));
  t.equal(lines.length, 1, 'once, however often it tries');
  const refusedAt = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 3_000));
  plane.script.refuse = null;
  await waitFor('connected', 60_000, () => connections(plane) === 1);
  await waitFor('all of it', START_MS_MAX, () => stamps(plane).some((time) => time > refusedAt + 3_000));
  t.ok(stamps(plane).filter((time) => time > refusedAt && time < refusedAt + 3_000).length >= 2);
  t.ok(rising(stamps(plane)));
});

t.test('a clock a day off: reports bear the right time, also those of a restart while nobody is there', async (t) => {
  const { plane, dataDir, start, agent } = await joined(t, ({ script }) => {
    script.clockOffsetMs = -DAY_MS;
  });
  await waitFor('reports', START_MS_MAX, () => plane.reports.size >= 3);
  const off = (time: number) => Math.abs(time - (Date.now() - DAY_MS));
  t.ok(
    stamps(plane).every((time) => off(time) < 30_000),
    'of the control plane, not of this machine',
  );
  await agent.kill('SIGTERM');
  const { port, authority } = plane;
  plane.kill();

  const alone = start();
  await waitFor('three are on disk', 30_000, () => segmentsOf(dataDir).some(({ bytes }) => bytes > 1_500));
  const back = await fakeControlPlane({ kind: 'agent', port, authority });
  t.teardown(() => back.kill());
  back.script.clockOffsetMs = -DAY_MS;
  for (const credential of plane.script.credentials) back.script.credentials.add(credential);
  await waitFor('the rest', 60_000, () => back.reports.size >= 4);
  t.ok(
    stamps(back).every((time) => off(time) < 60_000),
    `${stamps(back).map(off)}`,
  );
  t.ok(rising([...stamps(plane), ...stamps(back)]));
  await alone.kill('SIGTERM');
});

t.test('what is wrong at the start is told in one line, with its exit code', async (t) => {
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
