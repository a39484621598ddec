import t from 'tap';
import { startProduct } from '../../helpers/processes/product.js';
import { waitFor } from '../../helpers/wait.js';

const INTERVAL_MS = 1_000;
/** How long each thing stays away: longer than several reports. */
const AWAY_MS = 5_000;

interface Point {
  t: string;
  v: number;
}

t.test('history has no hole and no double, whatever is killed, but for what the agent itself was off', async (t) => {
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
  const pause = () => new Promise((resolve) => setTimeout(resolve, AWAY_MS));
  const ready = () => waitFor('the control plane', 30_000, async () => (await fetch(`${product.url}/readyz`)).ok);

  await pause();
  for (const names of [['control-plane'], ['mongod'], ['control-plane', 'mongod']]) {
    // The supervisor starts each again by itself.
    await Promise.all(names.map((name) => product.kill(name, 'SIGKILL')));
    await pause();
    await ready();
  }
  // Away for longer than a restart takes: the agent keeps what it reads, on disk.
  const stopped = await product.pid('control-plane');
  process.kill(stopped, 'SIGSTOP');
  await pause();
  await pause();
  process.kill(stopped, 'SIGKILL');
  await ready();
  const beforeAgentMs = Date.now();
  const agent = await product.pid('agent');
  await product.kill('agent', 'SIGKILL');
  const killedMs = Date.now();
  await waitFor('another agent', 20_000, async () => (await product.pid('agent')) !== agent);
  await pause();
  const endMs = Date.now();
  const points = await waitFor('everything to arrive', 40_000, async () => {
    const range = `from=${new Date(beganMs).toISOString()}&to=${new Date(endMs).toISOString()}`;
    const path = `/v1/servers/${id}/metrics?metrics=load_1&resolution=raw&${range}`;
    const { body } = await product.api('GET', path);
    const series: Point[] = body.data.series.load_1;
    const last = series.at(-1);
    return last !== undefined && endMs - Date.parse(last.t) < 2 * INTERVAL_MS ? series : null;
  });

  const times = points.map((point) => Date.parse(point.t));
  t.equal(new Set(times).size, times.length, 'each report once');
  t.strictSame(
    times,
    [...times].sort((a, b) => a - b),
    'in order',
  );
  const before = times.filter((at) => at < beforeAgentMs);
  const holes = before.slice(1).map((at, index) => at - (before[index] ?? at));
  t.ok(Math.max(...holes) < 1.9 * INTERVAL_MS, `longest time without a report ${Math.max(...holes)} ms`);
  t.ok((before[0] ?? Number.POSITIVE_INFINITY) - beganMs < 2 * INTERVAL_MS);
  const around = times.filter((at) => at >= beforeAgentMs - 2 * INTERVAL_MS);
  const off = Math.max(...around.slice(1).map((at, index) => at - (around[index] ?? at)));
  t.ok(off < 12_000, `while it was killed and started again: ${off} ms`);
  const last = before.filter((at) => at < killedMs - 2 * INTERVAL_MS).at(-1) ?? 0;
  t.ok(
    times.some((at) => at >= last),
    'what it had read before is there',
  );
  const { body } = await product.api('GET', `/v1/servers/${id}`);
  t.match(body.data, { status: 'online', reports_dropped: { too_old: 0, values: 0, on_server: 0 } });
});
