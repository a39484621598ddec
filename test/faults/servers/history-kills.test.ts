import { join } from 'node:path';
import t from 'tap';
import { spoolGrows } from '../../helpers/processes/agent-process.js';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const INTERVAL_MS = 1_000;
/** The number of samples between two kills. */
const BETWEEN = 3;

interface Point {
  t: string;
  v: number;
}

t.test('after kills of any process the history has every sample once, except while the agent was down', async (t) => {
  const product = await startProduct({
    PICKET_LOCATIONS: '',
    PICKET_LOCAL_AGENT: '1',
    PICKET_AGENT_INTERVAL_SECONDS: String(INTERVAL_MS / 1_000),
  });
  t.teardown(() => product.remove());
  const servers = await waitFor('the agent', 30_000, async () => {
    const { body } = await product.api('GET', '/v1/servers?status=online');
    return body.data.length === 1 ? body.data : null;
  });
  const { id } = servers[0];
  const beganMs = Date.now();
  const samples = async (count: number) => {
    const fromMs = Date.now();
    const stored = async () => {
      const range = `from=${new Date(fromMs).toISOString()}&to=${new Date().toISOString()}`;
      const path = `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw&${range}`;
      return (await product.api('GET', path)).body.data.series.load_1.length >= count;
    };
    await waitFor(`${count} more samples`, 40_000, stored, 200);
  };
  const ready = () => waitFor('the control plane', 30_000, async () => (await fetch(`${product.url}/readyz`)).ok);

  await samples(BETWEEN);
  for (const names of [['control-plane'], ['mongod'], ['control-plane', 'mongod']]) {
    // The supervisor restarts each of them.
    await Promise.all(names.map((name) => product.kill(name, 'SIGKILL')));
    await samples(BETWEEN);
  }
  // The control plane is stopped for longer than a restart takes. The agent keeps its samples on disk.
  const stopped = await product.pid('control-plane');
  process.kill(stopped, 'SIGSTOP');
  await spoolGrows(join(product.dataDir, 'agent'), 10);
  process.kill(stopped, 'SIGKILL');
  await ready();
  const beforeAgentMs = Date.now();
  const agent = await product.pid('agent');
  await product.kill('agent', 'SIGKILL');
  const killedMs = Date.now();
  await waitFor('the agent to be restarted', 20_000, async () => (await product.pid('agent')) !== agent);
  await samples(BETWEEN);
  const endMs = Date.now();
  const points = await waitFor('every sample to arrive', 40_000, async () => {
    const range = `from=${new Date(beganMs).toISOString()}&to=${new Date(endMs).toISOString()}`;
    const path = `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw&${range}`;
    const { body } = await product.api('GET', path);
    const series: Point[] = body.data.series.load_1;
    const last = series.at(-1);
    return last !== undefined && endMs - Date.parse(last.t) < 2 * INTERVAL_MS ? series : null;
  });

  const times = points.map((point) => Date.parse(point.t));
  t.equal(new Set(times).size, times.length, 'each sample once');
  t.strictSame(
    times,
    [...times].sort((a, b) => a - b),
    'in order',
  );
  const before = times.filter((at) => at < beforeAgentMs);
  const holes = before.slice(1).map((at, index) => at - (before[index] ?? at));
  t.ok(Math.max(...holes) < 1.9 * INTERVAL_MS, `longest time without a sample: ${Math.max(...holes)} ms`);
  t.ok((before[0] ?? Number.POSITIVE_INFINITY) - beganMs < 2 * INTERVAL_MS);
  const around = times.filter((at) => at >= beforeAgentMs - 2 * INTERVAL_MS);
  const off = Math.max(...around.slice(1).map((at, index) => at - (around[index] ?? at)));
  t.ok(off < 12_000, `while it was restarted: ${off} ms`);
  const last = before.filter((at) => at < killedMs - 2 * INTERVAL_MS).at(-1) ?? 0;
  t.ok(
    times.some((at) => at >= last),
    'its samples before the kill arrived',
  );
  const { body } = await product.api('GET', `/v1/servers/${id}`);
  t.match(body.data, { status: 'online', reports_dropped: { too_old: 0, values: 0, on_server: 0 } });
});
